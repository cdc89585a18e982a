<?php
// Vezne for PHP: the provider's API (E1 to E17), the dealer's (D1 to D8) and callbacks. PHP 7.4 and later with ext-curl, nothing else.
//
// Calls have the names that `vezne sign` has, and take an array with the fields of the contract. Amounts are decimal text in both
// directions, such as '250.00'; a float is refused before anything is sent.

declare(strict_types=1);

namespace Vezne;

const VERSION = '1.0.0';

/**
 * A call that did not succeed. With status 0 there was no answer, and what became of the call is unknown: repeat it with idempotencyKey.
 */
final class VezneException extends \RuntimeException
{
    public int $status = 0;
    public string $error = '';
    public string $errorCode = '';
    /** @var array<int, array{field: string, code: string}> */
    public array $errors = [];
    public string $requestId = '';
    public string $raw = '';
    public string $idempotencyKey = '';
    public ?int $retryAfter = null;

    /** Whether the same call with the same idempotency key may succeed later. */
    public function mayRepeat(): bool
    {
        return $this->status === 0 || $this->status === 429 || $this->status >= 500;
    }
}

/** The fields of an answer, and what came beside them. A field or a value that is newer than this file is simply there. */
final class Answer extends \ArrayObject
{
    public string $raw = '';
    public int $status = 0;
    public string $requestId = '';
    public string $idempotencyKey = '';
    public bool $isReplayed = false;
}

/** Returns X-Hash: the SHA-256 of the parts without separators. */
function sign_hash(
    string $apiKey,
    #[\SensitiveParameter]
    string $secretKey,
    string $middle,
    string $timestamp
): string {
    return hash('sha256', $apiKey . $secretKey . $middle . $timestamp);
}

/**
 * Returns X-Signature, which covers all of a request.
 *
 * @param array<string, string> $headers
 */
function sign_v2(
    #[\SensitiveParameter]
    string $secretKey,
    string $method,
    string $target,
    array $headers,
    string $body
): string {
    $lines = ['vezne-request-v2', $method, $target];
    foreach (['X-Api-Key', 'X-Site-Token', 'X-Credential-Key', 'X-Key', 'Idempotency-Key', 'X-Timestamp', 'X-Nonce'] as $name) {
        $lines[] = strtolower($name) . ':' . ($headers[$name] ?? '');
    }
    $lines[] = 'sha256:' . hash('sha256', $body);
    return 'v2=' . hash_hmac('sha256', implode("\n", $lines), $secretKey);
}

/**
 * Returns the fields of a JSON object, numbers with decimals as the text that they are; none where there is no object.
 *
 * @return array<string, mixed>
 */
function decode(string $json): array
{
    $kept = preg_replace_callback(
        '/"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|-?[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)/s',
        static fn (array $m): string => $m[0][0] === '"' ? $m[0] : '"' . $m[0] . '"',
        $json
    );
    $fields = json_decode($kept ?? $json, true, 64, JSON_BIGINT_AS_STRING);
    return is_array($fields) && substr(ltrim($json), 0, 1) === '{' ? $fields : [];
}

/** @param mixed $value */
function check_amounts($value): void
{
    if (is_float($value)) {
        throw new \InvalidArgumentException("an amount is decimal text such as '250.00', never a float");
    }
    foreach (is_array($value) ? $value : [] as $inner) {
        check_amounts($inner);
    }
}

/** What the two APIs share. */
abstract class Client
{
    private string $base;
    private string $secretKey;
    /** @var array<string, string> */
    private array $headers;
    private string $signing;
    private string $language;
    private int $timeout;
    /** @var callable(): int */
    private $clock;

    /**
     * @param array<string, string> $headers
     * @param array{signing?: string, language?: string, timeout?: int, clock?: callable} $options
     */
    protected function __construct(
        string $baseUrl,
        #[\SensitiveParameter]
        string $secretKey,
        array $headers,
        array $options
    ) {
        foreach (['baseUrl' => $baseUrl, 'secretKey' => $secretKey] + $headers as $name => $value) { // as a variable that nobody has set
            if ($value === '') {
                throw new \InvalidArgumentException("$name is missing");
            }
        }
        $this->base = rtrim($baseUrl, '/');
        $this->secretKey = $secretKey;
        $this->headers = $headers;
        $this->signing = $options['signing'] ?? 'v2';
        if (!in_array($this->signing, ['v2', 'hash'], true)) {
            throw new \InvalidArgumentException("signing is 'v2' or 'hash'");
        }
        $this->language = $options['language'] ?? '';
        $this->timeout = $options['timeout'] ?? 30;
        $this->clock = $options['clock'] ?? 'time';
    }

    /** Keeps the keys out of var_dump and of logs. */
    public function __debugInfo(): array
    {
        return ['base' => $this->base];
    }

    /**
     * @param array<string, mixed>|null $fields
     * @param string|null $idempotencyKey null: the call creates nothing; empty: one is made
     */
    protected function call(
        string $method,
        string $target,
        ?array $fields = null,
        string $keyHeader = '',
        string $key = '',
        ?string $idempotencyKey = null
    ): Answer {
        check_amounts($fields);
        $body = $fields === null ? '' : json_encode((object) $fields, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
        $headers = $this->headers;
        if ($key !== '') {
            $headers[$keyHeader] = $key;
        }
        if ($idempotencyKey !== null) {
            $idempotencyKey = $idempotencyKey === '' ? bin2hex(random_bytes(16)) : $idempotencyKey;
            $headers['Idempotency-Key'] = $idempotencyKey;
        }
        $headers['X-Timestamp'] = (string) ($this->clock)();
        if ($this->signing === 'v2') {
            $headers['X-Nonce'] = bin2hex(random_bytes(16));
            $headers['X-Signature'] = sign_v2($this->secretKey, $method, $target, $headers, $body);
        } else {
            $caller = $headers['X-Api-Key'] ?? $headers['X-Site-Token'];
            $headers['X-Hash'] = sign_hash($caller, $this->secretKey, $key, $headers['X-Timestamp']);
        }
        $headers['Content-Type'] = 'application/json';
        $headers['User-Agent'] = 'vezne-php/' . VERSION;
        if ($this->language !== '') {
            $headers['Accept-Language'] = $this->language;
        }
        [$status, $got, $raw, $why] = $this->send($method, $target, $headers, $body);
        $parsed = decode($raw);
        if ($status >= 200 && $status < 300) {
            $answer = new Answer($parsed);
            $answer->raw = $raw;
            $answer->status = $status;
            $answer->requestId = $got['x-request-id'] ?? '';
            $answer->idempotencyKey = $idempotencyKey ?? '';
            $answer->isReplayed = ($got['idempotent-replayed'] ?? '') === 'true';
            return $answer;
        }
        $sentences = array_filter(is_array($parsed['messages'] ?? null) ? $parsed['messages'] : [], 'is_string');
        $said = is_string($parsed['message'] ?? null) ? $parsed['message'] : implode('; ', $sentences);
        $e = new VezneException($status === 0 ? "no answer: $why" : ($said !== '' ? $said : "HTTP $status"));
        $e->status = $status;
        $e->error = is_string($parsed['error'] ?? null) ? $parsed['error'] : '';
        $e->errorCode = is_string($parsed['error_code'] ?? null) ? $parsed['error_code'] : '';
        $e->errors = array_values(array_filter(is_array($parsed['errors'] ?? null) ? $parsed['errors'] : [], 'is_array'));
        $e->requestId = $got['x-request-id'] ?? '';
        $e->raw = $raw;
        $e->idempotencyKey = $idempotencyKey ?? '';
        $e->retryAfter = preg_match('/^[0-9]{1,9}$/D', $got['retry-after'] ?? '') === 1 ? (int) $got['retry-after'] : null;
        throw $e;
    }

    /** @param array<string, mixed> $query */
    protected function get(string $path, array $query = []): Answer
    {
        return $this->call('GET', $path . ($query === [] ? '' : '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986)));
    }

    /**
     * @param array<string, string> $headers
     * @return array{int, array<string, string>, string, string} status 0: no answer, and why
     */
    private function send(string $method, string $target, array $headers, string $body): array
    {
        $got = [];
        $lines = ['Expect:'];
        foreach ($headers as $name => $value) {
            $lines[] = $name . ': ' . $value;
        }
        $c = curl_init($this->base . $target);
        curl_setopt_array($c, [
            CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $lines, CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => $this->timeout, CURLOPT_FOLLOWLOCATION => false, // a signature is for one address
            CURLOPT_HEADERFUNCTION => static function ($c, string $line) use (&$got): int {
                $pair = explode(':', $line, 2);
                if (count($pair) === 2) {
                    $got[strtolower(trim($pair[0]))] = trim($pair[1]);
                }
                return strlen($line);
            },
        ]);
        if ($method === 'POST') {
            curl_setopt($c, CURLOPT_POSTFIELDS, $body);
        }
        $raw = curl_exec($c);
        if (!is_string($raw)) {
            return [0, [], '', curl_error($c)];
        }
        return [(int) curl_getinfo($c, CURLINFO_RESPONSE_CODE), $got, $raw, ''];
    }
}

/** The provider's API. The credential key says which site a payment is for. */
final class Provider extends Client
{
    private string $credentialKey;
    private string $verificationKey;

    /** @param array{signing?: string, language?: string, timeout?: int, clock?: callable} $options */
    public function __construct(
        string $baseUrl,
        string $apiKey,
        #[\SensitiveParameter]
        string $secretKey,
        #[\SensitiveParameter]
        string $credentialKey = '',
        #[\SensitiveParameter]
        string $verificationKey = '',
        array $options = []
    ) {
        parent::__construct($baseUrl, $secretKey, ['X-Api-Key' => $apiKey], $options);
        $this->credentialKey = $credentialKey;
        $this->verificationKey = $verificationKey;
    }

    /** @param array<string, mixed> $fields */
    private function create(string $path, array $fields, string $idempotencyKey): Answer
    {
        return $this->call('POST', '/api/provider/' . $path, $fields, 'X-Credential-Key', $this->credentialKey, $idempotencyKey);
    }

    public function welcome(): Answer
    {
        return $this->call('POST', '/api/provider/welcome');
    }

    public function sites(): Answer
    {
        return $this->call('POST', '/api/provider/sites', null, 'X-Key', $this->verificationKey);
    }

    public function startManualDeposit(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('start-manual-deposit', $fields, $idempotencyKey);
    }

    public function startManualWithdraw(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('start-manual-withdraw', $fields, $idempotencyKey);
    }

    public function startEibanDeposit(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('start-eiban-deposit', $fields, $idempotencyKey);
    }

    public function startEibanWithdraw(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('start-eiban-withdraw', $fields, $idempotencyKey);
    }

    public function creditCardPayment(array $fields, string $idempotencyKey = ''): Answer
    {
        $fields += ['credential_key' => $this->credentialKey];
        return $this->call('POST', '/api/provider/credit-card/payment', $fields, '', '', $idempotencyKey);
    }

    public function creditCardStatus(array $fields): Answer
    {
        return $this->call('POST', '/api/provider/credit-card/status', $fields);
    }

    public function bankStartDeposit(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('third-party/bank/start-deposit', $fields, $idempotencyKey);
    }

    public function bankGateways(): Answer
    {
        return $this->get('/api/provider/third-party/bank/gateways');
    }

    public function bankStartWithdrawal(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('third-party/bank/start-withdrawal', $fields, $idempotencyKey);
    }

    public function cryptoStartDeposit(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('third-party/crypto/start-deposit', $fields, $idempotencyKey);
    }

    public function cryptoGateways(): Answer
    {
        return $this->get('/api/provider/third-party/crypto/gateways');
    }

    public function cryptoStartWithdrawal(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('third-party/crypto/start-withdrawal', $fields, $idempotencyKey);
    }

    public function walletStartDeposit(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('third-party/wallet/start-deposit', $fields, $idempotencyKey);
    }

    public function walletGateways(): Answer
    {
        return $this->get('/api/provider/third-party/wallet/gateways');
    }

    public function walletStartWithdrawal(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('third-party/wallet/start-withdrawal', $fields, $idempotencyKey);
    }

    /** @param array{tracking_code?: string, reference?: string} $fields one of the two */
    public function transactionStatus(array $fields): Answer
    {
        return $this->call('POST', '/api/provider/transaction-status', $fields);
    }

    /**
     * Moves the clock of a payment that was created with the field test; test installations alone have the call.
     *
     * @param array{tracking_code?: string, reference?: string, seconds: int} $fields one of the two, and by how much
     */
    public function testClock(array $fields): Answer
    {
        return $this->call('POST', '/api/provider/test-clock', $fields);
    }
}

/** The dealer's API. With a site token in place of the API key it is that of one of the dealer's websites. */
final class Dealer extends Client
{
    /** @param array{signing?: string, language?: string, timeout?: int, clock?: callable} $options */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter]
        string $secretKey,
        string $apiKey = '',
        string $siteToken = '',
        array $options = []
    ) {
        parent::__construct($baseUrl, $secretKey, $apiKey !== '' ? ['X-Api-Key' => $apiKey] : ['X-Site-Token' => $siteToken], $options);
    }

    /** @param array<string, mixed> $fields */
    private function create(string $path, array $fields, string $idempotencyKey): Answer
    {
        return $this->call('POST', '/api/dealer/' . $path, $fields, '', '', $idempotencyKey);
    }

    public function settings(): Answer
    {
        return $this->get('/api/dealer/settings');
    }

    public function manualIbanDeposit(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('manual-iban/deposit', $fields, $idempotencyKey);
    }

    public function manualIbanWithdraw(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('manual-iban/withdraw', $fields, $idempotencyKey);
    }

    public function eibans(): Answer
    {
        return $this->get('/api/dealer/eibans');
    }

    /** @param array{wallet_id: string, start_date: string, end_date: string, page?: int} $fields */
    public function transactions(array $fields): Answer
    {
        return $this->get('/api/dealer/transactions', $fields);
    }

    public function sendMoney(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('send-money', $fields, $idempotencyKey);
    }

    /** @param array{transfer_id: string} $fields */
    public function transferStatus(array $fields): Answer
    {
        return $this->get('/api/dealer/transfer-status', $fields);
    }

    public function creditCardPayment(array $fields, string $idempotencyKey = ''): Answer
    {
        return $this->create('credit-card/payment', $fields, $idempotencyKey);
    }

    /** @param array{tracking_code?: string, reference?: string} $fields one of the two */
    public function transactionStatus(array $fields): Answer
    {
        return $this->get('/api/dealer/transaction-status', $fields);
    }

    /**
     * Moves the clock of a payment that was created with the field test; test installations alone have the call.
     *
     * @param array{tracking_code?: string, reference?: string, seconds: int} $fields one of the two, and by how much
     */
    public function testClock(array $fields): Answer
    {
        return $this->call('POST', '/api/dealer/test-clock', $fields);
    }
}

/** What a check of a callback has found. Where it is not ok, reason is no_signature, stale, future, wrong_secret or body_changed. */
final class Verified
{
    public bool $ok;
    public string $reason;
    /** @var array<string, mixed>|null */
    public ?array $event;

    /** @param array<string, mixed>|null $event */
    public function __construct(string $reason, ?array $event = null)
    {
        $this->ok = $reason === '';
        $this->reason = $reason;
        $this->event = $event;
    }
}

/**
 * Checks the Standard Webhooks signature of a callback, which covers all of it.
 *
 * @param array<string, string|string[]> $headers as they came, in any case: getallheaders(), or $request->headers->all()
 * @param string $body the bytes as they came: file_get_contents('php://input'), or $request->getContent()
 * @param string|string[] $secrets one "whsec_…" or several
 */
function verify_callback(
    array $headers,
    string $body,
    #[\SensitiveParameter]
    $secrets,
    int $tolerance = 300,
    ?int $now = null
): Verified {
    $sent = sent_headers($headers);
    $id = $sent['webhook-id'] ?? '';
    $stamp = $sent['webhook-timestamp'] ?? '';
    $signatures = [];
    foreach (explode(' ', $sent['webhook-signature'] ?? '') as $signature) {
        if (strncmp($signature, 'v1,', 3) === 0) {
            $signatures[] = substr($signature, 3);
        }
    }
    if ($id === '' || preg_match('/^[0-9]{1,12}$/D', $stamp) !== 1 || $signatures === []) {
        return new Verified('no_signature');
    }
    $reason = too_old($stamp, $tolerance, $now);
    if ($reason !== '') {
        return new Verified($reason);
    }
    foreach ((array) $secrets as $secret) {
        $key = webhook_key($secret);
        $want = base64_encode(hash_hmac('sha256', $id . '.' . $stamp . '.' . $body, $key, true));
        foreach ($signatures as $got) {
            if ($key !== '' && hash_equals($want, $got)) { // with an empty one anybody signs
                return new Verified('', decode($body));
            }
        }
    }
    return new Verified(is_as_sent($body) ? 'wrong_secret' : 'body_changed');
}

/**
 * Checks X-Hash, which covers the tracking_code and the status alone: prefer verify_callback where there is a webhook-signature.
 *
 * @param array<string, string|string[]> $headers
 * @param string|string[] $secrets one secret key or several
 */
function verify_hash(
    array $headers,
    string $body,
    string $apiKey,
    #[\SensitiveParameter]
    $secrets,
    int $tolerance = 300,
    ?int $now = null
): Verified {
    $sent = sent_headers($headers);
    $stamp = $sent['x-timestamp'] ?? '';
    $got = $sent['x-hash'] ?? '';
    if ($got === '' || preg_match('/^[0-9]{1,12}$/D', $stamp) !== 1) {
        return new Verified('no_signature');
    }
    $reason = too_old($stamp, $tolerance, $now);
    if ($reason !== '') {
        return new Verified($reason);
    }
    $event = decode($body);
    if (!is_string($event['tracking_code'] ?? null) || !is_string($event['status'] ?? null)) {
        return new Verified('body_changed');
    }
    foreach ((array) $secrets as $secret) {
        if ($secret !== '' && hash_equals(sign_hash($apiKey, $secret, $event['tracking_code'] . $event['status'], $stamp), strtolower($got))) {
            return new Verified('', $event);
        }
    }
    return new Verified(($event['hash'] ?? null) === $got ? 'wrong_secret' : 'body_changed');
}

/**
 * @param array<string, string|string[]> $headers
 * @return array<string, string>
 */
function sent_headers(array $headers): array
{
    $sent = [];
    foreach ($headers as $name => $value) {
        $sent[strtolower((string) $name)] = (string) (is_array($value) ? reset($value) : $value);
    }
    return $sent;
}

function too_old(string $timestamp, int $tolerance, ?int $now): string
{
    $age = ($now ?? time()) - (int) $timestamp;
    return $age > $tolerance ? 'stale' : (-$age > $tolerance ? 'future' : '');
}

function webhook_key(
    #[\SensitiveParameter]
    string $secret
): string {
    $text = strncmp($secret, 'whsec_', 6) === 0 ? substr($secret, 6) : $secret;
    $key = base64_decode($text, true);
    return $key !== false && base64_encode($key) === $text ? $key : $secret;
}

/** Reports whether a body is written as Vezne writes it. If not, something on the way has decoded it and encoded it again. */
function is_as_sent(string $body): bool
{
    $bare = preg_replace('/"[^"\\\\]*+(?:\\\\(?:["\\\\bfnrt]|u(?:00[01][0-9a-f]|2028|2029|fffd))[^"\\\\]*+)*+"/', '""', $body);
    return preg_match('/^\{"(?:tracking_code|success)":/', $body) === 1
        && preg_match('/"amount":-?[0-9]+\.[0-9]{2}[,}]/', $body) === 1
        && preg_match('/^[{}:,"0-9.a-z-]*$/D', (string) $bare) === 1;
}
