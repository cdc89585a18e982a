import { notFound } from 'next/navigation';
import { VezneError } from 'vezne';

import { find, learn } from '../../../lib/orders.mjs';
import { vezne } from '../../../lib/shop.mjs';

// return_url: that the customer comes back proves nothing. Where no callback has come yet, Vezne is asked.
export default async function Page({ params }) {
  const { id } = await params;
  const order = find(id) ?? notFound();
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
  return <p>{`Order over ${amount}: ${status}, credited ${credited} TRY, ${callbacks.length} callbacks`}</p>;
}
