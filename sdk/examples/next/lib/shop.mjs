// What the routes share: the client, and the call that begins a payment.
import { Provider, VezneError } from 'vezne';

import { begun } from './orders.mjs';

const env = process.env;

export const vezne = new Provider({
  baseUrl: env.PAY_URL ?? '', apiKey: env.PAY_API_KEY ?? '', secretKey: env.PAY_SECRET_KEY ?? '', credentialKey: env.PAY_CREDENTIAL_KEY ?? '',
});

const customer = { fullname: 'Ayşe Yılmaz', username: 'ayse.yilmaz', user_id: 'u-1001' }; // yours is who has signed in

const html = { 'Content-Type': 'text/html; charset=utf-8' };

/** Redirects the customer to the payment's page. The stored key makes one payment of it, however often this is tried. */
export async function pay(order) {
  try {
    const { fields } = await vezne.startManualDeposit(
      { ...customer, amount: order.amount, reference: order.id, return_url: `${env.SHOP_URL}/orders/${order.id}` }, order.key);
    begun(order.id, fields.data);
    return new Response(null, { status: 303, headers: { Location: fields.data.payment_url } });
  } catch (e) {
    if (!(e instanceof VezneError)) throw e;
    console.error(`${e.message} (request ${e.requestId})`);
    if (!e.mayRepeat) return new Response('This payment is not possible.', { status: 502 });
    const again = `<form method="post" action="/orders/${order.id}/pay"><button>Try again</button></form>`;
    return new Response(again, { status: 503, headers: html });
  }
}
