/** A stand-in for Twilio: takes messages over HTTP, and reports what became of them when a test says so. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient } from '../acceptance/client.ts';
import type { Service } from '../service.ts';

const TOKEN = 'the-auth-token-of-the-account';
export const PUBLIC_URL = 'https://verify.example.com';
export const PATH = '/carriers/twilio/receipts';

interface Sent {
  readonly sid: string;
  readonly form: URLSearchParams;
}

/** Answers as Twilio does; `before` runs between the request and its answer. */
export async function openTwilio(before: (sent: Sent) => Promise<void> = async () => {}) {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = { sid: `SM${sent.length}-${Date.now()}`, form: new URLSearchParams(body) };
    sent.push(message);
    await before(message);
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ sid: message.sid }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    sent,
    carrier: {
      type: 'twilio',
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: TOKEN,
      sms: { from: 'Acme' },
      url: `http://127.0.0.1:${port}`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What the carrier posts, signed for the address that it was given. */
function callbackOf(fields: Record<string, string>, token = TOKEN) {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const data = PUBLIC_URL + PATH + sorted.map((pair) => pair.join('')).join('');
  return {
    raw: new URLSearchParams(fields).toString(),
    key: null,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', token).update(data).digest('base64'),
    },
  };
}

export async function report(
  service: Pick<Service, 'baseUrl' | 'ca'>,
  fields: Record<string, string>,
  token?: string,
) {
  const client = createClient({ ...service, key: '' });
  const { status } = await client.post(PATH, undefined, callbackOf(fields, token));
  client.close();
  return status;
}
