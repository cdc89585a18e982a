import { find } from '../../../../lib/orders.mjs';
import { pay } from '../../../../lib/shop.mjs';

// The customer tries again after Vezne could not be reached.
export async function POST(request, { params }) {
  const order = find((await params).id);
  return order ? pay(order) : new Response(null, { status: 404 });
}
