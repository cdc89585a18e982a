<?php
// Does what JSON lines on standard input say, and answers each with a line: the tests and `vezne sdk-check` drive the library so.

declare(strict_types=1);

require __DIR__ . '/Vezne.php';

function client(array $c, ?int $now): object
{
    $options = ['signing' => $c['signing'], 'language' => $c['language']];
    if ($now) {
        $options['clock'] = static fn (): int => $now;
    }
    return $c['kind'] === 'dealer'
        ? new Vezne\Dealer($c['base_url'], $c['secret_key'], $c['api_key'], $c['site_token'], $options)
        : new Vezne\Provider($c['base_url'], $c['api_key'], $c['secret_key'], $c['credential_key'], $c['verification_key'], $options);
}

function call(array $step): array
{
    $arguments = $step['fields'] === null ? [] : [$step['fields']];
    if ($step['idempotency_key'] !== '') {
        $arguments[] = $step['idempotency_key'];
    }
    $name = str_replace('-', '', ucwords($step['name'], '-')); // methods have any case
    try {
        $a = client($step['client'], $step['now'])->$name(...$arguments);
    } catch (Vezne\VezneException $e) {
        return [
            'is_error' => true, 'message' => $e->getMessage(), 'status' => $e->status, 'error' => $e->error, 'code' => $e->errorCode,
            'errors' => $e->errors, 'request_id' => $e->requestId, 'raw' => base64_encode($e->raw), 'idempotency_key' => $e->idempotencyKey,
            'retry_after' => $e->retryAfter ?? 0, 'may_repeat' => $e->mayRepeat(),
        ];
    } catch (InvalidArgumentException $e) {
        return ['refused' => $e->getMessage()];
    }
    return [
        'fields' => (object) $a->getArrayCopy(), 'status' => $a->status, 'request_id' => $a->requestId, 'raw' => base64_encode($a->raw),
        'idempotency_key' => $a->idempotencyKey, 'is_replayed' => $a->isReplayed,
    ];
}

function verify(array $step): array
{
    $body = base64_decode($step['body']);
    $v = $step['do'] === 'verify'
        ? Vezne\verify_callback($step['headers'], $body, $step['secrets'], $step['tolerance'], $step['now'])
        : Vezne\verify_hash($step['headers'], $body, $step['api_key'], $step['secrets'], $step['tolerance'], $step['now']);
    return ['ok' => $v->ok, 'reason' => $v->reason, 'event' => $v->event];
}

function sign(array $step): array
{
    return [
        'hash' => Vezne\sign_hash($step['api_key'], $step['secret_key'], $step['middle'], $step['headers']['X-Timestamp']),
        'signature' => Vezne\sign_v2($step['secret_key'], $step['method'], $step['target'], $step['headers'], base64_decode($step['body'])),
    ];
}

while (($line = fgets(STDIN)) !== false) {
    $step = json_decode($line, true);
    $does = ['call' => 'call', 'verify' => 'verify', 'verify-hash' => 'verify', 'sign' => 'sign'][$step['do']];
    echo json_encode($does($step)), "\n";
}
