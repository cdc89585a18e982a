<?php
/**
 * Plugin Name: Vezne for WooCommerce
 * Description: Takes payments in Turkish lira on Vezne's page.
 * Version: 1.0.0
 * Requires at least: 6.0
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * License: Apache-2.0
 */

defined('ABSPATH') || exit;

// Orders may be kept in tables of their own (HPOS). The checkout made of blocks asks for a script, which this gateway does not have.
add_action('before_woocommerce_init', static function (): void {
    if (class_exists(\Automattic\WooCommerce\Utilities\FeaturesUtil::class)) {
        \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('custom_order_tables', __FILE__, true);
        \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('cart_checkout_blocks', __FILE__, false);
    }
});

add_action('plugins_loaded', static function (): void {
    if (!class_exists('WC_Payment_Gateway')) {
        return; // WooCommerce is not active
    }
    require_once __DIR__ . '/Vezne.php';
    require_once __DIR__ . '/class-vezne-gateway.php';
    add_filter('woocommerce_payment_gateways', static function (array $gateways): array {
        $gateways[] = 'Vezne_Gateway';
        return $gateways;
    });
});
