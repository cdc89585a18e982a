// A shop that takes deposits with Vezne, in Express.
import { randomUUID } from 'node:crypto';

import express from 'express';
import { Provider, verifyCallback, VezneError } from 'vezne';

import { add, begun, find, learn, take } from './orders.mjs';

const { PAY_URL, PAY_API_KEY, PAY_SECRET_KEY, PAY_CREDENTIAL_KEY, PAY_WEBHOOK_SECRET = '', SHOP_URL, PORT = '3000' } = process.env;
const vezne = new Provider({ baseUrl: PAY_URL, apiKey: PAY_API_KEY, secretKey: PAY_SECRET_KEY, credentialKey: PAY_CREDENTIAL_KEY });
const customer = { fullname: 'Ayşe Yılmaz', username: 'ayse.yilmaz', user_id: 'u-1001' }; // yours is who has signed in

const app = express();

// Express's trap: this has to stand before express.json(), and to read the body with express.raw(). What has been parsed and is written
// again has other bytes than those that were signed.
app.post('/vezne/callback', express.raw({ type: () => true, limit: '64kb' }), (request, response) => {
  const checked = verifyCallback(request.headers, request.body ?? '', PAY_WEBHOOK_SECRET.split(' ')); // two while one is replaced
  if (!checked.ok) {
    console.error(`callback refused: ${checked.reason}`);
    return response.sendStatus(401);
  }
  take(request.get('webhook-id'), checked.event);
  response.json({ success: true }); // only now: what is not answered with 200 is sent again
});

app.use(express.json(), express.urlencoded({ extended: false }));

app.get('/', (request, response) => {
  response.send('<form method="post" action="/orders"><input name="amount" value="250.00"><button>Pay</button></form>');
});

app.post('/orders', async (request, response) => {
  const amount = String(request.body?.amount ?? '');
  if (!/^[1-9][0-9]{0,8}\.[0-9]{2}$/.test(amount)) return response.status(422).send('An amount is written as 250.00.');
  const id = randomUUID();
  add({ id, amount, key: `${id}-1` });
  await pay(find(id), response);
});

// The customer tries again after Vezne could not be reached: the stored key makes one payment of it.
app.post('/orders/:id/pay', async (request, response) => {
  const order = find(request.params.id);
  if (!order) return response.sendStatus(404);
  await pay(order, response);
});

async function pay(order, response) {
  try {
    const { fields } = await vezne.startManualDeposit(
      { ...customer, amount: order.amount, reference: order.id, return_url: `${SHOP_URL}/orders/${order.id}` }, order.key);
    begun(order.id, fields.data);
    response.redirect(303, fields.data.payment_url);
  } catch (e) {
    if (!(e instanceof VezneError)) throw e;
    console.error(`${e.message} (request ${e.requestId})`);
    if (!e.mayRepeat) return response.status(502).send('This payment is not possible.');
    response.status(503).send(`<form method="post" action="/orders/${order.id}/pay"><button>Try again</button></form>`);
  }
}

// return_url: that the customer comes back proves nothing. Where no callback has come yet, Vezne is asked.
app.get('/orders/:id', async (request, response) => {
  const { id } = request.params;
  const order = find(id);
  if (!order) return response.sendStatus(404);
  if (order.sequence === 0) {
    try {
      const { fields } = await vezne.transactionStatus({ reference: id });
      learn(id, fields.data);
    } catch (e) {
      if (!(e instanceof VezneError)) throw e;
      console.error(`${e.message} (request ${e.requestId})`); // the page says what is known
    }
  }
  const { amount, status, credited, callbacks } = find(id);
  response.send(`<p>Order over ${amount}: ${status}, credited ${credited} TRY, ${callbacks.length} callbacks</p>`);
});

app.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
