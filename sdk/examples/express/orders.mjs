// What the shop keeps. A file stands for your database here, and change() for one transaction in it: it does not wait between reading
// and writing, so that no other request of this process comes in between.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const file = process.env.SHOP_DATA ?? 'orders.json';

const load = () => new Map(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);

function change(how) {
  const orders = load();
  how(orders);
  const out = openSync(`${file}.new`, 'w', 0o600);
  writeFileSync(out, JSON.stringify([...orders]));
  fsyncSync(out);
  closeSync(out);
  renameSync(`${file}.new`, file);
}

export const find = (id) => load().get(id);

/** Keeps an order, with the idempotency key of its payment, before Vezne is called. */
export const add = (order) => change((orders) => orders.set(order.id, {
  ...order, trackingCode: '', paymentUrl: '', status: 'new', credited: '0.00', sequence: 0, callbacks: [],
}));

/** Keeps what Vezne answered. */
export const begun = (id, { tracking_code, payment_url }) => change((orders) => {
  const order = orders.get(id);
  order.trackingCode = tracking_code;
  order.paymentUrl = payment_url;
  if (order.status === 'new') order.status = 'open'; // the callback may have come before this answer
});

// The amount is what has been paid, which may be another than was asked for. It is set, never added: whatever comes twice counts once.
function settle(order, status, amount) {
  order.status = status;
  order.credited = status === 'completed' ? amount : '0.00';
}

/** Takes a callback whose signature is right. Its id is that of webhook-id, which the signature covers. */
export const take = (callbackId, event) => change((orders) => {
  const order = orders.get(event.reference);
  if (!order || (order.trackingCode && order.trackingCode !== event.tracking_code)) return; // a test callback, or no order of this shop
  if (event.sequence <= order.sequence) return; // handled already, or a later one was
  settle(order, event.status, event.amount);
  order.trackingCode = event.tracking_code;
  order.sequence = event.sequence;
  order.callbacks.push({ id: callbackId, sequence: event.sequence, status: event.status, amount: event.amount });
});

/** Takes the answer of transaction-status, as long as no callback has come: a callback knows better. */
export const learn = (id, data) => change((orders) => {
  const order = orders.get(id);
  if (data.is_final && order.sequence === 0) settle(order, data.status, data.amount);
});
