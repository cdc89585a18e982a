<?php
// What the tests do in a shop: ?shop-test=settings, checkout, return and order. It calls WooCommerce as WooCommerce itself does, so that
// it serves both as a must-use plugin of a real shop and beside standin.php.

function vezne_shop_test(): void
{
    $what = $_GET['shop-test'] ?? null;
    if ($what === null) {
        return;
    }
    $gateway = WC()->payment_gateways()->payment_gateways()['vezne'];
    $id = (int) ($_GET['order'] ?? 0);
    switch ($what) {
        case 'settings':
            if ($_SERVER['REQUEST_METHOD'] === 'POST') {
                $gateway->process_admin_options();
            }
            echo $gateway->generate_settings_html($gateway->get_form_fields(), false), esc_html($gateway->method_description);
            exit;
        case 'checkout':
            $order = $id > 0 ? wc_get_order($id) : wc_create_order();
            if ($id === 0) {
                $order->set_billing_first_name('Ayşe');
                $order->set_billing_last_name('Yılmaz');
                $order->set_payment_method($gateway);
                $order->set_currency($_POST['currency'] ?? 'TRY');
            }
            if (isset($_POST['total'])) {
                $order->set_total($_POST['total']);
            }
            $order->save();
            wp_send_json($gateway->process_payment($order->get_id()) + [
                'order' => $order->get_id(), 'available' => $gateway->is_available(), 'notices' => array_column(wc_get_notices('error'), 'notice'),
            ]);
            // no break: wp_send_json ends the request
        case 'return':
            wc_get_order($id); // the page of an order that has been received shows it before
            do_action('woocommerce_thankyou_vezne', $id);
            // no break: the page shows what is known then
        case 'order':
            $order = wc_get_order($id);
            wp_send_json([
                'status' => $order->get_status(), 'transaction_id' => $order->get_transaction_id(),
                'notes' => array_column(wc_get_order_notes(['order_id' => $id]), 'content'),
            ]);
    }
}
