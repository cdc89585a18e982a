<?php
// What customers, staff of the shop and its administrators read.

defined('ABSPATH') || exit;

return [
    'en' => [
        'title' => 'Bank transfer',
        'description' => 'You pay on the next page, and come back here.',
        'enabled' => 'Enable',
        'url' => 'Address of Vezne',
        'api_key' => 'API key',
        'secret_key' => 'Secret key',
        'credential_key' => 'Credential key of this site',
        'webhook_secret' => 'Webhook secret; two with a space between them while one is replaced',
        'customer_title' => 'Name at the checkout',
        'kept' => 'One is kept. Leave this empty to keep it.',
        'none' => 'None is kept.',
        'address' => 'Have the operator of Vezne set %1$s as callback address, and allow %2$s as return address.',
        'not_lira' => 'This way of paying takes Turkish lira only.',
        'not_now' => 'The payment could not be started. Please try again.',
        'not_possible' => 'This payment is not possible. Please choose another way of paying.',
        'begun' => 'Vezne payment %1$s over %2$s TRY has begun.',
        'outcome' => 'Vezne payment %1$s: %2$s, %3$s TRY.',
        'differs' => 'Paid are %1$s TRY, ordered %2$s %3$s. Look at this order before it is sent.',
    ],
    'tr' => [
        'title' => 'Banka havalesi',
        'description' => 'Ödemeyi bir sonraki sayfada yapar, ardından buraya dönersiniz.',
        'enabled' => 'Etkinleştir',
        'url' => 'Vezne adresi',
        'api_key' => 'API anahtarı',
        'secret_key' => 'Gizli anahtar',
        'credential_key' => 'Bu sitenin kimlik anahtarı',
        'webhook_secret' => 'Webhook gizli anahtarı; değiştirilirken aralarında bir boşlukla ikisi',
        'customer_title' => 'Ödeme sayfasındaki adı',
        'kept' => 'Kayıtlı bir anahtar var. Değiştirmemek için boş bırakın.',
        'none' => 'Kayıtlı anahtar yok.',
        'address' => 'Vezne işletmecisinden geri bildirim adresi olarak %1$s adresini tanımlamasını ve dönüş adresi olarak %2$s adresine izin vermesini isteyin.',
        'not_lira' => 'Bu ödeme yöntemi yalnızca Türk lirası ile kullanılabilir.',
        'not_now' => 'Ödeme başlatılamadı. Lütfen tekrar deneyin.',
        'not_possible' => 'Bu ödeme yapılamıyor. Lütfen başka bir ödeme yöntemi seçin.',
        'begun' => '%2$s TRY tutarındaki %1$s numaralı Vezne ödemesi başladı.',
        'outcome' => '%1$s numaralı Vezne ödemesi: %2$s, %3$s TRY.',
        'differs' => 'Ödenen tutar %1$s TRY, sipariş tutarı %2$s %3$s. Göndermeden önce siparişi inceleyin.',
    ],
];
