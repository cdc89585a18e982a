// Written by Vezne's tests: a program of the documentation, of which the types are checked.
import { createServer } from 'node:http';
import { verifyCallback } from 'vezne';

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part); // the bytes as they came
  const checked = verifyCallback(request.headers, Buffer.concat(parts), (process.env.PAY_WEBHOOK_SECRET ?? '').split(' '));
  if (!checked.ok) {
    console.error('callback refused:', checked.reason);
    return response.writeHead(401).end();
  }
  const { tracking_code, status, amount, sequence } = checked.event;
  // Keep it, unless this sequence of this tracking code, or a higher one, was kept before. Only then answer 200.
  response.end(JSON.stringify({ success: true }));
}).listen(3000, '127.0.0.1');
