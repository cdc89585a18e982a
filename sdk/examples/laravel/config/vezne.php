<?php

// The keys come from the environment. After `php artisan config:cache` env() answers in this file alone.
return [
    'url' => env('PAY_URL'),
    'api_key' => env('PAY_API_KEY'),
    'secret_key' => env('PAY_SECRET_KEY'),
    'credential_key' => env('PAY_CREDENTIAL_KEY'),
    'webhook_secrets' => explode(' ', (string) env('PAY_WEBHOOK_SECRET')), // two while one is replaced
    'shop_url' => env('SHOP_URL'),
];
