<?php
// What stands for WordPress and WooCommerce in the tests: the functions and methods of theirs that the gateway and shop.php call. Neither
// Debian nor npm has WooCommerce. Names, parameters and what they do are those of WooCommerce 8.2 and 10.9 (includes/class-wc-order.php,
// abstract-wc-settings-api.php, abstract-wc-payment-gateway.php) and WordPress 6.1. An order is a file, and so is the lock of MySQL.
// php -S 127.0.0.1:PORT standin.php serves it, with the plugin's folder in VEZNE_PLUGIN and a folder for data in SHOP_DATA.

const ABSPATH = __DIR__ . '/';

$hooks = [];

function add_action(string $hook, callable $do): void
{
    $GLOBALS['hooks'][$hook][] = $do;
}

function add_filter(string $hook, callable $do): void
{
    add_action($hook, $do);
}

/** @param mixed ...$args */
function do_action(string $hook, ...$args): void
{
    foreach ($GLOBALS['hooks'][$hook] ?? [] as $do) {
        $do(...$args);
    }
}

/**
 * @param mixed $value
 * @return mixed
 */
function apply_filters(string $hook, $value)
{
    foreach ($GLOBALS['hooks'][$hook] ?? [] as $do) {
        $value = $do($value);
    }
    return $value;
}

function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_attr(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function wp_unslash(string $text): string
{
    return stripslashes($text);
}

function home_url(): string
{
    return (string) getenv('SHOP_URL');
}

function determine_locale(): string
{
    return (string) getenv('SHOP_LOCALE');
}

function get_woocommerce_currency(): string
{
    return 'TRY';
}

function wp_generate_uuid4(): string
{
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
}

function wp_cache_flush_runtime(): bool
{
    return true; // nothing is cached
}

/** @param array<string, mixed> $args */
function wp_die(string $message, string $title, array $args): void
{
    http_response_code($args['response']);
    exit;
}

/** @param array<string, mixed> $response */
function wp_send_json(array $response, int $status = 200): void
{
    http_response_code($status);
    header('Content-Type: application/json; charset=utf-8');
    exit(json_encode($response));
}

/** @param string|float $number */
function wc_format_decimal($number, int $decimals): string
{
    return number_format((float) $number, $decimals, '.', '');
}

function wc_add_notice(string $message, string $type): void
{
    $GLOBALS['notices'][$type][] = ['notice' => $message];
}

/** @return array<int, array<string, string>> */
function wc_get_notices(string $type): array
{
    return $GLOBALS['notices'][$type] ?? [];
}

function wc_get_logger(): object
{
    return new class {
        /** @param array<string, string> $context */
        public function warning(string $message, array $context): void
        {
            error_log($context['source'] . ': ' . $message);
        }
    };
}

function shop_file(string $name): string
{
    return getenv('SHOP_DATA') . '-' . $name;
}

$wpdb = new class {
    public string $prefix = 'wp_';
    /** @var resource|null */
    private $lock = null;

    public function prepare(string $query, string $lock): string
    {
        return str_replace('%s', "'" . $lock . "'", $query);
    }

    public function get_var(string $query): ?string
    {
        if (strpos($query, 'RELEASE_LOCK') !== false) {
            fclose($this->lock);
            return '1';
        }
        $this->lock = fopen(shop_file('lock'), 'c');
        return flock($this->lock, LOCK_EX) ? '1' : '0';
    }
};

final class WooCommerce
{
    /** @var array<string, WC_Payment_Gateway> */
    private array $gateways = [];

    public function api_request_url(string $request): string
    {
        return home_url() . '/?wc-api=' . $request;
    }

    /** In WooCommerce this returns an object of another class. */
    public function payment_gateways(): object
    {
        foreach ($this->gateways === [] ? apply_filters('woocommerce_payment_gateways', []) : [] as $class) {
            $gateway = new $class();
            $this->gateways[$gateway->id] = $gateway;
        }
        return new class ($this->gateways) {
            /** @var array<string, WC_Payment_Gateway> */
            private array $all;

            public function __construct(array $all)
            {
                $this->all = $all;
            }

            public function payment_gateways(): array
            {
                return $this->all;
            }
        };
    }
}

function WC(): WooCommerce
{
    static $shop;
    return $shop = $shop ?? new WooCommerce();
}

abstract class WC_Payment_Gateway
{
    public string $id = '';
    public string $method_title = '';
    public string $method_description = '';
    public bool $has_fields = false;
    public array $supports = [];
    public string $title = '';
    public string $description = '';
    public array $form_fields = [];
    private array $settings = [];

    public function init_settings(): void
    {
        $file = shop_file('settings');
        $this->settings = is_file($file) ? json_decode(file_get_contents($file), true) : [];
    }

    public function get_form_fields(): array
    {
        return $this->form_fields;
    }

    public function get_option(string $key): string
    {
        return $this->settings[$key] ?? $this->form_fields[$key]['default'];
    }

    public function get_field_key(string $key): string
    {
        return 'woocommerce_' . $this->id . '_' . $key;
    }

    public function is_available(): bool
    {
        return $this->get_option('enabled') === 'yes';
    }

    public function get_return_url(WC_Order $order): string
    {
        return home_url() . '/?page_id=1&order-received=' . $order->get_id() . '&key=' . $order->get_order_key();
    }

    public function generate_settings_html(array $fields, bool $echo): string
    {
        $html = '';
        foreach ($fields as $key => $field) {
            $method = 'generate_' . $field['type'] . '_html';
            $html .= method_exists($this, $method) ? $this->$method($key, $field)
                : '<input name="' . esc_attr($this->get_field_key($key)) . '" value="' . esc_attr($this->get_option($key)) . '">';
        }
        return $html;
    }

    public function process_admin_options(): void
    {
        foreach ($this->form_fields as $key => $field) {
            $value = isset($_POST[$this->get_field_key($key)]) ? addslashes($_POST[$this->get_field_key($key)]) : null; // as WordPress does
            $method = 'validate_' . $field['type'] . '_field';
            if ($field['type'] === 'checkbox') {
                $this->settings[$key] = $value === null ? 'no' : 'yes';
            } else {
                $this->settings[$key] = method_exists($this, $method) ? $this->$method($key, $value) : trim(stripslashes((string) $value));
            }
        }
        file_put_contents(shop_file('settings'), json_encode($this->settings));
    }
}

final class WC_Order
{
    private array $data;

    public function __construct(array $data)
    {
        $this->data = $data;
    }

    /** @return mixed */
    public function __call(string $name, array $args)
    {
        if (strncmp($name, 'set_', 4) === 0) {
            $this->data[substr($name, 4)] = is_object($args[0]) ? $args[0]->id : $args[0];
            return null;
        }
        return $this->data[substr($name, 4)] ?? '';
    }

    public function get_customer_id(): int
    {
        return 0;
    }

    /** @return mixed */
    public function get_meta(string $key)
    {
        return $this->data['meta'][$key] ?? '';
    }

    /** @param mixed $value */
    public function update_meta_data(string $key, $value): void
    {
        $this->data['meta'][$key] = $value;
    }

    public function has_status(string $status): bool
    {
        return $this->data['status'] === $status;
    }

    public function is_paid(): bool
    {
        return in_array($this->data['status'], ['processing', 'completed'], true);
    }

    public function save(): void
    {
        file_put_contents(shop_file('order-' . $this->data['id']), json_encode($this->data));
    }

    public function add_order_note(string $note): void
    {
        file_put_contents(shop_file('notes-' . $this->data['id']), json_encode(['content' => $note]) . "\n", FILE_APPEND);
    }

    public function payment_complete(string $transaction_id): bool
    {
        if (!in_array($this->data['status'], ['on-hold', 'pending', 'failed', 'cancelled'], true)) {
            return false;
        }
        $this->data['transaction_id'] = $transaction_id;
        return $this->update_status('processing');
    }

    public function update_status(string $status, string $note = ''): bool
    {
        $this->add_order_note(trim($note . ' Order status changed from ' . $this->data['status'] . ' to ' . $status . '.'));
        $this->data['status'] = $status;
        $this->save();
        return true;
    }
}

function wc_create_order(): WC_Order
{
    $id = random_int(1, 1000000000);
    return new WC_Order(['id' => $id, 'status' => 'pending', 'order_key' => 'wc_order_' . bin2hex(random_bytes(8))]);
}

/** @return WC_Order|false */
function wc_get_order(int $id)
{
    $file = shop_file('order-' . $id);
    return is_file($file) ? new WC_Order(json_decode(file_get_contents($file), true)) : false;
}

/** @return array<int, array<string, string>> */
function wc_get_order_notes(array $args): array
{
    $file = shop_file('notes-' . $args['order_id']);
    return is_file($file) ? array_map(static fn ($line) => json_decode($line, true), file($file)) : [];
}

require getenv('VEZNE_PLUGIN') . '/vezne-for-woocommerce.php';
require __DIR__ . '/shop.php';
do_action('before_woocommerce_init');
do_action('plugins_loaded');
WC()->payment_gateways(); // before an API request is handled, as WC_API does
if (isset($_GET['wc-api'])) {
    do_action('woocommerce_api_' . $_GET['wc-api']);
    exit('-1');
}
vezne_shop_test();
