<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Routing\Controller;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Str;
use Symfony\Component\HttpFoundation\Response;
use Vezne\Provider;
use Vezne\VezneException;

use function Vezne\verify_callback;

/** A shop that takes deposits with Vezne. */
final class VezneController extends Controller
{
    private const CUSTOMER = ['fullname' => 'Ayşe Yılmaz', 'username' => 'ayse.yilmaz', 'user_id' => 'u-1001']; // yours is Auth::user()

    private Provider $vezne;

    public function __construct(Provider $vezne)
    {
        $this->vezne = $vezne;
    }

    public function form(): Response
    {
        return response('<form method="post" action="/orders">' . csrf_field() . '<input name="amount" value="250.00"><button>Pay</button></form>');
    }

    public function create(Request $request): Response
    {
        $amount = $request->input('amount');
        abort_unless(is_string($amount) && preg_match('/^[1-9][0-9]{0,8}\.[0-9]{2}$/D', $amount) === 1, 422, 'An amount is written as 250.00.');
        $id = (string) Str::uuid();
        // The order is kept, with the idempotency key of its payment, before Vezne is called.
        DB::table('orders')->insert(['id' => $id, 'amount' => $amount, 'idempotency_key' => $id . '-1']);
        return $this->pay($id);
    }

    /** The customer tries again after Vezne could not be reached: the stored key makes one payment of it. */
    public function again(string $id): Response
    {
        return $this->pay($id);
    }

    private function pay(string $id): Response
    {
        $order = $this->find($id);
        try {
            $answer = $this->vezne->startManualDeposit(self::CUSTOMER + [
                'amount' => $order->amount, 'reference' => $id, 'return_url' => config('vezne.shop_url') . '/orders/' . $id,
            ], $order->idempotency_key);
        } catch (VezneException $e) {
            Log::error("{$e->getMessage()} (request {$e->requestId})");
            abort_unless($e->mayRepeat(), 502, 'This payment is not possible.');
            return response('<form method="post" action="/orders/' . $id . '/pay">' . csrf_field() . '<button>Try again</button></form>', 503);
        }
        DB::table('orders')->where('id', $id)->update(['tracking_code' => $answer['data']['tracking_code']]);
        DB::table('orders')->where('id', $id)->where('status', 'new')->update(['status' => 'open']); // the callback may have come before
        return redirect()->away($answer['data']['payment_url'], 303);
    }

    /** What return_url leads to. That the customer comes back proves nothing. Where no callback has come yet, Vezne is asked. */
    public function show(string $id): Response
    {
        $order = $this->find($id);
        if ((int) $order->sequence === 0) {
            try {
                $this->learn($id, $this->vezne->transactionStatus(['reference' => $id])['data']);
            } catch (VezneException $e) {
                Log::error("{$e->getMessage()} (request {$e->requestId})"); // the page says what is known
            }
            $order = $this->find($id);
        }
        $count = DB::table('order_callbacks')->where('order_id', $id)->count();
        return response("<p>Order over {$order->amount}: {$order->status}, credited {$order->credited} TRY, {$count} callbacks</p>");
    }

    /** Takes a callback. getContent() gives the bytes as they came: $request->all() has other ones than those that were signed. */
    public function callback(Request $request): Response
    {
        $checked = verify_callback($request->headers->all(), $request->getContent(), config('vezne.webhook_secrets'));
        if (!$checked->ok) {
            Log::error("callback refused: {$checked->reason}");
            return response('', 401);
        }
        $this->take((string) $request->header('webhook-id'), $checked->event);
        return response()->json(['success' => true]); // only now: what is not answered with 200 is sent again
    }

    /**
     * Its id is that of webhook-id, which the signature covers.
     *
     * @param array<string, mixed> $event
     */
    private function take(string $callbackId, array $event): void
    {
        DB::transaction(static function () use ($callbackId, $event): void {
            $order = DB::table('orders')->where('id', $event['reference'] ?? '')->lockForUpdate()->first();
            if ($order === null || !in_array($order->tracking_code, ['', $event['tracking_code']], true)) {
                return; // a test callback, or no order of this shop
            }
            if ($event['sequence'] <= (int) $order->sequence) {
                return; // handled already, or a later one was
            }
            DB::table('order_callbacks')->insert([
                'id' => $callbackId, 'order_id' => $order->id, 'sequence' => $event['sequence'], 'status' => $event['status'], 'amount' => $event['amount'],
            ]);
            DB::table('orders')->where('id', $order->id)->update(
                self::outcome($event) + ['tracking_code' => $event['tracking_code'], 'sequence' => $event['sequence']]
            );
        });
    }

    /**
     * Takes the answer of transaction-status, as long as no callback has come: a callback knows better.
     *
     * @param array<string, mixed> $data
     */
    private function learn(string $id, array $data): void
    {
        if ($data['is_final']) {
            DB::table('orders')->where('id', $id)->where('sequence', 0)->update(self::outcome($data));
        }
    }

    /**
     * The amount is what has been paid, which may be another than was asked for. It is set, never added: whatever comes twice counts once.
     *
     * @param array<string, mixed> $of
     * @return array{status: string, credited: string}
     */
    private static function outcome(array $of): array
    {
        return ['status' => $of['status'], 'credited' => $of['status'] === 'completed' ? $of['amount'] : '0.00'];
    }

    private function find(string $id): object
    {
        return DB::table('orders')->find($id) ?? abort(404);
    }
}
