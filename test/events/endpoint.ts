/** An endpoint of webhooks: a real server, which checks what it gets with the package of the standard. */
import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Webhook } from 'standardwebhooks';
import { addWebhook } from '../../src/accounts/webhooks/endpoints.ts';
import { loadConfig } from '../../src/config/fixture.ts';
import { findSecret } from '../../src/config/secret.ts';
import { COMMAND_LINE } from '../../src/core/accounts/actor.ts';
import type { EventType } from '../../src/core/events/event.ts';
import { Keyring } from '../../src/core/secrets/keyring.ts';
import { query } from '../../src/core/sql/records.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/port.ts';

/** Where these endpoints are. */
export const LOOPBACK = ['127.0.0.0/8', '::1'];

export interface EventData {
  readonly id: string;
  readonly channel: string;
  readonly destination: string | null;
  readonly country: string;
  readonly test: boolean;
  readonly carrier: string | null;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly at: string;
}

export interface ReceivedEvent {
  /** `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: EventData;
  readonly body: string;
}

export type Behaviour = (event: ReceivedEvent, response: ServerResponse) => void;

export const take: Behaviour = (_, response) => void response.writeHead(204).end();

export interface TestEndpoint extends AsyncDisposable {
  readonly url: string;
  /** Every message that came with a good signature, in order, whatever the answer was. */
  readonly received: ReceivedEvent[];
  /** What was wrong with messages that came. */
  readonly faults: string[];
  /** The secrets that one of must have signed. */
  secrets: string[];
  behave(behaviour: Behaviour): void;
}

/** With a certificate it speaks HTTPS. */
export async function openEndpoint(tls?: {
  readonly cert: string;
  readonly key: string;
}): Promise<TestEndpoint> {
  const received: ReceivedEvent[] = [];
  const faults: string[] = [];
  let behaviour = take;
  let secrets: string[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      const event = { ...verify(secrets, body, request), id: String(request.headers['webhook-id']), body };
      received.push(event);
      behaviour(event, response);
    } catch (error) {
      faults.push(String(error));
      response.writeHead(400).end();
    }
  }
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void handle(request, response).catch(() => {});
  const server = tls === undefined ? createPlainServer(listener) : createTlsServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: tls === undefined ? `http://127.0.0.1:${port}/` : `https://localhost:${port}/`,
    received,
    faults,
    get secrets() {
      return secrets;
    },
    set secrets(wanted) {
      secrets = wanted;
    },
    behave(wanted) {
      behaviour = wanted;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function verify(
  secrets: readonly string[],
  body: string,
  { headers }: IncomingMessage,
): Pick<ReceivedEvent, 'type' | 'timestamp' | 'data'> {
  const given = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  );
  let last: unknown = new Error('no secret');
  for (const secret of secrets) {
    try {
      new Webhook(secret).verify(body, given);
      return JSON.parse(body);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

export interface WebhookOrder {
  readonly url: string;
  readonly types?: readonly EventType[];
  readonly fullNumbers?: boolean;
  readonly account?: string;
}

/** Lends the store of a service, beside it, as the command line does. */
export async function withStoreOf<T>(
  env: Readonly<Record<string, string>>,
  use: (store: Store, keyring: Keyring) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env);
  const store = await openStore(config, { exclusive: false });
  try {
    return await use(
      store,
      new Keyring(config.secret ?? findSecret(config.dataDir) ?? '', config.previousSecret),
    );
  } finally {
    await store.close();
  }
}

/** What the command line does to add an endpoint, without a process of its own. Its id and secret. */
export function makeWebhook(
  env: Readonly<Record<string, string>>,
  { url, types = [], fullNumbers = false, account = 'default' }: WebhookOrder,
): Promise<{ readonly id: string; readonly secret: string; readonly accountId: string }> {
  return withStoreOf(env, async (records, keyring) => {
    const [found] = await query(records, 'SELECT id FROM account WHERE name = $1', account);
    const accountId = String(found?.id);
    const made = await addWebhook(
      { records, keyring, privateNetworks: LOOPBACK },
      { accountId, url, types, fullNumbers, by: COMMAND_LINE, now: Date.now() },
    );
    if (made.kind !== 'added') throw new Error(`not added: ${JSON.stringify(made)}`);
    return { id: made.id, secret: made.secret, accountId };
  });
}
