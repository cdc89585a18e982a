<?php

defined('ABSPATH') || exit;

/**
 * Takes deposits on Vezne's page. An order's payments are kept with it, by their references: each has its idempotency key, its amount
 * and the sequence of its last callback, so that whatever comes twice counts once.
 */
final class Vezne_Gateway extends WC_Payment_Gateway
{
    private const PAYMENTS = '_vezne_payments';
    private const MAX_BODY = 65536;

    public function __construct()
    {
        $this->id = 'vezne';
        $this->method_title = 'Vezne';
        $this->method_description = self::text('address', WC()->api_request_url($this->id), home_url());
        $this->has_fields = false;
        $this->supports = ['products'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = self::text('description');
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
        add_action('woocommerce_api_' . $this->id, [$this, 'callback']);
        add_action('woocommerce_thankyou_' . $this->id, [$this, 'ask']);
    }

    /** Secrets have a type of their own: WooCommerce's password fields write what is kept into the page. */
    public function init_form_fields(): void
    {
        $this->form_fields = [
            'enabled' => ['title' => self::text('enabled'), 'type' => 'checkbox', 'label' => ' ', 'default' => 'no'],
            'title' => ['title' => self::text('customer_title'), 'type' => 'text', 'default' => self::text('title')],
            'url' => ['title' => self::text('url'), 'type' => 'text', 'default' => ''],
            'api_key' => ['title' => self::text('api_key'), 'type' => 'text', 'default' => ''],
            'secret_key' => ['title' => self::text('secret_key'), 'type' => 'secret', 'default' => ''],
            'credential_key' => ['title' => self::text('credential_key'), 'type' => 'secret', 'default' => ''],
            'webhook_secret' => ['title' => self::text('webhook_secret'), 'type' => 'secret', 'default' => ''],
        ];
    }

    /** @param array<string, mixed> $data */
    public function generate_secret_html(string $key, array $data): string
    {
        return sprintf(
            '<tr valign="top"><th scope="row" class="titledesc"><label for="%1$s">%2$s</label></th><td class="forminp">'
            . '<input type="password" class="input-text regular-input" name="%1$s" id="%1$s" value="" autocomplete="new-password"><p class="description">%3$s</p></td></tr>',
            esc_attr($this->get_field_key($key)),
            esc_html($data['title']),
            esc_html(self::text($this->get_option($key) === '' ? 'none' : 'kept'))
        );
    }

    /** @param mixed $value what was typed; nothing: what is kept stays */
    public function validate_secret_field(string $key, $value): string
    {
        $typed = is_string($value) ? trim(wp_unslash($value)) : '';
        return $typed === '' ? (string) $this->get_option($key) : $typed;
    }

    public function is_available(): bool
    {
        foreach (['url', 'api_key', 'secret_key', 'credential_key'] as $needed) {
            if ((string) $this->get_option($needed) === '') {
                return false;
            }
        }
        return parent::is_available() && get_woocommerce_currency() === 'TRY';
    }

    /**
     * Begins a payment and says where the customer goes. Whoever presses twice has one payment: its key is kept before Vezne is called.
     *
     * @param int $order_id
     * @return array{result: string, redirect?: string}
     */
    public function process_payment($order_id): array
    {
        if (wc_get_order($order_id)->get_currency() !== 'TRY') {
            return $this->refuse('not_lira');
        }
        $payment = [];
        $this->change($order_id, static function (WC_Order $order, array &$payments) use (&$payment): void {
            $amount = wc_format_decimal($order->get_total(), 2);
            $last = end($payments);
            if ($last === false || $last['status'] !== '' || $last['amount'] !== $amount) { // ended, or the cart has changed since
                $reference = 'wc-' . $order->get_id() . '-' . (count($payments) + 1);
                $last = [
                    'reference' => $reference, 'key' => $reference . '-' . wp_generate_uuid4(), 'amount' => $amount, 'tracking_code' => '',
                    'status' => '', 'credited' => '0.00', 'sequence' => 0,
                ];
                $payments[$reference] = $last;
            }
            $payment = $last;
        });
        $order = wc_get_order($order_id);
        $customer = $order->get_customer_id() > 0 ? (string) $order->get_customer_id() : 'guest-' . $order->get_id();
        try {
            $answer = $this->vezne()->startManualDeposit([
                'fullname' => trim($order->get_billing_first_name() . ' ' . $order->get_billing_last_name()), 'username' => $customer,
                'user_id' => $customer, 'amount' => $payment['amount'], 'reference' => $payment['reference'],
                'return_url' => $this->get_return_url($order), 'language' => self::language(),
            ], $payment['key']);
        } catch (Vezne\VezneException $e) {
            $this->log("{$e->getMessage()} (request {$e->requestId})");
            return $this->refuse($e->mayRepeat() ? 'not_now' : 'not_possible');
        } catch (InvalidArgumentException $e) { // a setting is missing
            $this->log($e->getMessage());
            return $this->refuse('not_possible');
        }
        $code = $answer['data']['tracking_code'];
        $this->change($order_id, static function (WC_Order $order, array &$payments) use ($payment, $code): void {
            $kept = &$payments[$payment['reference']];
            if ($kept['tracking_code'] === '') {
                $kept['tracking_code'] = $code;
                $order->add_order_note(self::text('begun', $code, $payment['amount']));
            }
        });
        return ['result' => 'success', 'redirect' => $answer['data']['payment_url']];
    }

    /** @return array{result: string} */
    private function refuse(string $why): array
    {
        wc_add_notice(self::text($why), 'error');
        return ['result' => 'failure'];
    }

    /** Takes a callback, at ?wc-api=vezne. WordPress's trap: $_POST is empty or changed by wp_slash(); php://input is the body as it came. */
    public function callback(): void
    {
        $body = (string) file_get_contents('php://input', false, null, 0, self::MAX_BODY);
        $checked = Vezne\verify_callback(getallheaders(), $body, explode(' ', (string) $this->get_option('webhook_secret')));
        if (!$checked->ok) {
            $this->log("callback refused: {$checked->reason}");
            wp_send_json(['success' => false], 401);
        }
        $this->settle($checked->event, $checked->event['sequence']);
        wp_send_json(['success' => true]); // only now: what is not answered with 200 is sent again
    }

    /**
     * Asks what became of an order's payments of which no callback has come, when the customer returns: that they do proves nothing.
     *
     * @param int $order_id
     */
    public function ask($order_id): void
    {
        foreach (self::payments(wc_get_order($order_id)) as $payment) {
            if ($payment['status'] !== '') {
                continue;
            }
            try {
                $data = $this->vezne()->transactionStatus(['reference' => $payment['reference']])['data'];
            } catch (Vezne\VezneException $e) {
                $this->log("{$e->getMessage()} (request {$e->requestId})");
                return;
            } catch (InvalidArgumentException $e) { // a setting is missing
                $this->log($e->getMessage());
                return;
            }
            if ($data['is_final']) {
                $this->settle($data, 0);
            }
        }
    }

    /**
     * Brings a payment to what is said of it, and the order to what is paid. Sequence 0: of transaction-status, which counts as long as no
     * callback has come.
     *
     * @param array<string, mixed> $said
     */
    private function settle(array $said, int $sequence): void
    {
        $reference = (string) ($said['reference'] ?? '');
        if (preg_match('/^wc-([0-9]{1,18})-[0-9]{1,6}$/D', $reference, $found) !== 1) {
            return; // a test callback, or not of this shop
        }
        $this->change((int) $found[1], static function (WC_Order $order, array &$payments) use ($said, $sequence, $reference): void {
            if (!isset($payments[$reference]) || !in_array($payments[$reference]['tracking_code'], ['', $said['tracking_code']], true)) {
                return; // another payment under the same reference
            }
            $payment = &$payments[$reference];
            if ($sequence === 0 ? $payment['status'] !== '' : $sequence <= $payment['sequence']) {
                return; // handled already, or a later one was
            }
            $isNews = $payment['status'] !== $said['status'] || $payment['credited'] !== ($said['status'] === 'completed' ? $said['amount'] : '0.00');
            $payment = [
                'tracking_code' => $said['tracking_code'], 'status' => $said['status'], 'sequence' => $sequence,
                // What is paid is set, never added. Another currency than the order's never counts as paid.
                'credited' => $said['status'] === 'completed' && ($said['currency'] ?? 'TRY') === 'TRY' ? $said['amount'] : '0.00',
            ] + $payment;
            if ($isNews) { // and not the callback about what transaction-status has said before
                $order->add_order_note(self::text('outcome', $said['tracking_code'], $said['status'], $said['amount']));
                self::follow($order, $payments, $reference);
            }
        });
    }

    /**
     * Brings an order to what is paid of it: all of it, or something else, which people look at.
     *
     * @param array<string, array<string, mixed>> $payments
     */
    private static function follow(WC_Order $order, array $payments, string $reference): void
    {
        $paid = array_sum(array_map([self::class, 'kurus'], array_column($payments, 'credited')));
        $isWhole = $order->get_currency() === 'TRY' && $paid === self::kurus(wc_format_decimal($order->get_total(), 2));
        if ($isWhole && !$order->is_paid()) {
            $order->payment_complete($payments[$reference]['tracking_code']);
        } elseif (!$isWhole && ($paid > 0 || $order->is_paid())) {
            $order->update_status('on-hold', self::text('differs', self::lira($paid), wc_format_decimal($order->get_total(), 2), $order->get_currency()));
        } elseif ($paid === 0 && $order->has_status('pending') && $reference === array_key_last($payments)) {
            $order->update_status('failed'); // the customer may pay it again
        }
    }

    /** @return int of decimal text */
    private static function kurus(string $amount): int
    {
        return (int) str_replace('.', '', $amount);
    }

    private static function lira(int $kurus): string
    {
        return intdiv($kurus, 100) . '.' . str_pad((string) ($kurus % 100), 2, '0', STR_PAD_LEFT);
    }

    /**
     * Changes an order's payments while nobody else does: a callback and the customer's return may come at the same time.
     *
     * @param callable(WC_Order, array<string, array<string, mixed>>): void $how
     */
    private function change(int $order_id, callable $how): void
    {
        global $wpdb;
        $lock = 'vezne-' . $wpdb->prefix . $order_id;
        if ((string) $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, 10)', $lock)) !== '1') {
            $this->log("order $order_id is locked");
            wp_die('', '', ['response' => 503]); // Vezne sends the callback again
        }
        try {
            wp_cache_flush_runtime(); // what this request has read before is old
            $order = wc_get_order($order_id);
            if ($order instanceof WC_Order) {
                $payments = self::payments($order);
                $before = $payments;
                $how($order, $payments);
                if ($payments !== $before) {
                    $order->update_meta_data(self::PAYMENTS, $payments);
                    $order->save();
                }
            }
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $lock));
        }
    }

    /** @return array<string, array<string, mixed>> by reference, in the order in which they were begun */
    private static function payments(WC_Order $order): array
    {
        $kept = $order->get_meta(self::PAYMENTS);
        return is_array($kept) ? $kept : [];
    }

    private function vezne(): Vezne\Provider
    {
        return new Vezne\Provider($this->get_option('url'), $this->get_option('api_key'), $this->get_option('secret_key'), $this->get_option('credential_key'));
    }

    private function log(string $line): void
    {
        wc_get_logger()->warning($line, ['source' => $this->id]);
    }

    private static function language(): string
    {
        return strncmp(determine_locale(), 'tr', 2) === 0 ? 'tr' : 'en';
    }

    private static function text(string $key, string ...$with): string
    {
        static $texts;
        $texts = $texts ?? require __DIR__ . '/texts.php';
        return vsprintf($texts[self::language()][$key], $with);
    }
}
