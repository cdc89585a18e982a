import { verifyCallback } from 'vezne';

import { take } from '../../../lib/orders.mjs';

// Next's trap: request.json() gives other bytes than those that were signed. request.text() gives the body as it came, once.
export async function POST(request) {
  if (Number(request.headers.get('content-length') ?? Infinity) > 65536) return new Response(null, { status: 413 }); // Next.js has no limit
  const secrets = (process.env.PAY_WEBHOOK_SECRET ?? '').split(' '); // two while one is replaced
  const checked = verifyCallback(request.headers, await request.text(), secrets);
  if (!checked.ok) {
    console.error(`callback refused: ${checked.reason}`);
    return new Response(null, { status: 401 });
  }
  take(request.headers.get('webhook-id'), checked.event);
  return Response.json({ success: true }); // only now: what is not answered with 200 is sent again
}
