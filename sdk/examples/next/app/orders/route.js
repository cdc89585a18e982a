import { randomUUID } from 'node:crypto';

import { add, find } from '../../lib/orders.mjs';
import { pay } from '../../lib/shop.mjs';

export async function POST(request) {
  const amount = String((await request.formData()).get('amount') ?? '');
  if (!/^[1-9][0-9]{0,8}\.[0-9]{2}$/.test(amount)) return new Response('An amount is written as 250.00.', { status: 422 });
  const id = randomUUID();
  add({ id, amount, key: `${id}-1` });
  return pay(find(id));
}
