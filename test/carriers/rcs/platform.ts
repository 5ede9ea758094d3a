/**
 * Google's RCS for Business API as its documents describe it (phones.getCapabilities, phones.agentMessages.create and .delete, the token
 * endpoint of service accounts, webhooks): it refuses what they do not allow, and remembers what a telephone would show.
 */
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '../../free-port.ts';

export const AGENT = 'acme_codes_agent';
export const CLIENT_TOKEN = 'SJENCPGJESMGUFPY';
const EMAIL = 'rbm-agent@project.iam.gserviceaccount.com';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DURATION = /^(\d+)(\.\d{1,9})?s$/;

export interface PlatformMessage {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  /** In s. */
  readonly ttl: number;
  /** How often it came. */
  times: number;
  state: 'queued' | 'delivered' | 'revoked';
}

/** A POST of JSON to the address of the service; resolves with the status. */
type Webhook = (raw: string, headers: Record<string, string>) => Promise<number>;

export interface Platform extends AsyncDisposable {
  /** Options of a carrier that sends here. */
  readonly carrier: object;
  /** A secret that nothing may show. */
  readonly privateKey: string;
  readonly messages: readonly PlatformMessage[];
  /** Numbers that RCS does not reach. */
  readonly unable: Set<string>;
  /** Each revocation that was asked for, by the id of the message. */
  readonly revocations: readonly string[];
  /** What becomes of the next revocations; without it, what is queued is revoked. */
  meanwhile: ((message: PlatformMessage) => unknown) | undefined;
  /** Who hears of events. */
  webhook: Webhook | undefined;
  to(number: string): PlatformMessage | undefined;
  /** The telephone comes online. */
  deliver(message: PlatformMessage): Promise<number>;
  /** Tells the webhook of an event, signed with another secret if one is given. */
  tell(event: object, secret?: string): Promise<number>;
}

export async function openPlatform(): Promise<Platform> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const key = createPublicKey(publicKey);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tokens = new Set<string>();
  const messages: PlatformMessage[] = [];
  const revocations: string[] = [];
  const unable = new Set<string>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname, searchParams: query } = new URL(request.url ?? '', url);
    const say = (status: number, told: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(told));
    const refuse = (code: number, status: string) => say(code, { error: { code, status, message: status } });
    if (request.method === 'POST' && pathname === '/token') {
      if (!isGranted(new URLSearchParams(body), key, `${url}/token`))
        return say(400, { error: 'invalid_grant' });
      const token = `ya29.${tokens.size}`;
      tokens.add(token);
      return say(200, { access_token: token, expires_in: 3_599, token_type: 'Bearer' });
    }
    if (!tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, '')))
      return refuse(401, 'UNAUTHENTICATED');
    const [, number = '', resource, id] =
      /^\/v1\/phones\/(\+\d+)\/(capabilities|agentMessages)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (resource === undefined) return refuse(404, 'NOT_FOUND');
    if (query.get('agentId') !== AGENT) return refuse(403, 'PERMISSION_DENIED');
    if (request.method === 'GET' && resource === 'capabilities') {
      if (!UUID.test(query.get('requestId') ?? '')) return refuse(400, 'INVALID_ARGUMENT');
      return unable.has(number) ? refuse(404, 'NOT_FOUND') : say(200, { features: ['RICHCARD_STANDALONE'] });
    }
    if (request.method === 'POST' && resource === 'agentMessages') {
      if (unable.has(number)) return refuse(404, 'NOT_FOUND');
      const message = read(body, query.get('messageId') ?? '', number);
      if (message === undefined) return refuse(400, 'INVALID_ARGUMENT');
      const before = messages.find((each) => each.id === message.id);
      if (before === undefined) messages.push(message);
      else before.times += 1;
      return say(200, { name: `phones/${number}/agentMessages/${message.id}`, sendTime: 'now' });
    }
    if (request.method === 'DELETE' && id !== undefined && body === '') {
      revocations.push(id);
      const message = messages.find((each) => each.id === id && each.to === number);
      const meanwhile = platform.meanwhile;
      if (message !== undefined) {
        if (meanwhile !== undefined) void meanwhile(message);
        else if (message.state === 'queued') message.state = 'revoked';
      }
      // Whether or not it was in time.
      return say(200, {});
    }
    return refuse(404, 'NOT_FOUND');
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const platform: Platform = {
    carrier: {
      ...{ type: 'google', from: AGENT, clientToken: CLIENT_TOKEN, url, tokenUrl: url },
      serviceAccount: JSON.stringify({
        ...{ type: 'service_account', private_key_id: 'key-1', private_key: privateKey },
        client_email: EMAIL,
      }),
    },
    ...{ privateKey, messages, unable, revocations, meanwhile: undefined, webhook: undefined },
    to: (number) => messages.find(({ to }) => to === number),
    deliver(message) {
      message.state = 'delivered';
      return platform.tell({
        ...{ senderPhoneNumber: message.to, eventType: 'DELIVERED', eventId: 'e-1' },
        ...{ messageId: message.id, sendTime: new Date().toISOString(), agentId: AGENT },
      });
    },
    async tell(event, secret = CLIENT_TOKEN) {
      const data = Buffer.from(JSON.stringify(event));
      const signature = createHmac('sha512', secret).update(data).digest('base64');
      const envelope = { message: { data: data.toString('base64'), messageId: '1' }, subscription: 's' };
      assert.ok(platform.webhook, 'nobody hears of it');
      return platform.webhook(JSON.stringify(envelope), { 'x-goog-signature': signature });
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return platform;
}

/** RFC 7523, section 2.1, as Google asks for it. */
function isGranted(form: URLSearchParams, key: KeyObject, audience: string): boolean {
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return false;
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
    return false;
  const { iss, scope, aud, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const isScoped = scope === 'https://www.googleapis.com/auth/rcsbusinessmessaging';
  return iss === EMAIL && isScoped && aud === audience && exp - iat <= 3_600 && exp > Date.now() / 1_000;
}

/** An AgentMessage; undefined if it is none. */
function read(body: string, id: string, to: string): PlatformMessage | undefined {
  const { contentMessage, messageTrafficType, ttl, ...others } = JSON.parse(body);
  const seconds = Number(DURATION.exec(ttl)?.[1]);
  const isText = typeof contentMessage?.text === 'string' && contentMessage.text.length <= 3_072;
  const isTimed = seconds >= 1 && seconds <= 15 * 86_400;
  const isWhole = Object.keys(others).length === 0 && messageTrafficType === 'AUTHENTICATION';
  if (!UUID.test(id) || !isText || !isTimed || !isWhole) return undefined;
  return { id, to, text: contentMessage.text, ttl: seconds, times: 1, state: 'queued' };
}
