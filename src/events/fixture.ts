/** For tests: senders on a real store, with a clock that is handed in and endpoints that answer as told. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { addWebhook, changeWebhook, listWebhooks } from '../accounts/webhooks/endpoints.ts';
import { recentMessages, testWebhook } from '../accounts/webhooks/messages.ts';
import { THE_SERVICE } from '../core/accounts/actor.ts';
import type { EventQueue } from '../core/events/queue.ts';
import { createManualClock } from '../core/seams/clock-fixture.ts';
import { Keyring } from '../core/secrets/keyring.ts';
import type { Records } from '../core/sql/records.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import type { PostAnswer } from './post.ts';
import { Sender } from './sender.ts';

export const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
export const ACCOUNT = 'acc_1';
export const OTHER_ACCOUNT = 'acc_2';
/** How long an endpoint is leased, in ms. */
export const LEASE = 15 * SECOND;

const RULES = {
  limits: { sendsPerDestination: [], failedGuessesPerDestination: [], requestsPerKey: [] },
  retention: {
    ...{ verifications: 30 * DAY, simulatorMessages: DAY, signals: DAY, statistics: DAY, events: 30 * DAY },
  },
};

export const urlOf = (path: string): string => `https://example.com/${path}`;

export const status = (code: number, retryAfterMs?: number): PostAnswer => ({
  ...{ kind: 'answered', status: code, retryAfterMs },
});

/** No answer until the test gives one. */
export const hang = (): undefined => undefined;

interface SenderWishes {
  readonly node: string;
  readonly bounds: { readonly perEndpoint: number; readonly atOnce: number };
  readonly records: Records;
  readonly queue: EventQueue;
  readonly keyring: Keyring;
}

interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly at: number;
}

export async function openSenderRig() {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-sender-'));
  const store = await openSqliteStore({ dataDir: folder, exclusive: true, ...RULES });
  const sql = 'INSERT INTO account (id, name, created_at) VALUES ($1, $1, 0)';
  await store.transact([ACCOUNT, OTHER_ACCOUNT].map((id) => ({ sql, args: [id] })));
  const keyring = new Keyring('a secret of forty characters, for tests..');
  const clock = createManualClock(Date.parse('2026-11-01T00:00:00Z'));
  /** By URL; 200 if it is not there. */
  const answers = new Map<string, () => PostAnswer | undefined>();
  const posted: Posted[] = [];
  /** What answers the requests of endpoints that hang, in order. */
  const unanswered: ((answer: PostAnswer) => void)[] = [];
  const logged: string[] = [];
  const tried: string[] = [];
  /** The URLs of connections that were closed. */
  const closed: string[] = [];

  return {
    ...{ store, keyring, clock, answers, posted, unanswered, logged, tried, closed },

    newSender({
      node = 'node',
      bounds = { perEndpoint: 2, atOnce: 4 },
      records = store,
      queue = store,
      keyring: its = keyring,
    }: Partial<SenderWishes> = {}): Sender {
      return new Sender({
        ...{ records, queue, keyring: its, clock, node, lease: LEASE, bounds },
        openPost: (url) => ({
          async send(say) {
            const said = await say();
            if (said === undefined) return { kind: 'withdrawn', reason: 'nothing' };
            posted.push({ url, headers: said.headers, at: clock.now() });
            const answer = answers.has(url) ? answers.get(url)?.() : status(200);
            return answer === undefined ? new Promise((resolve) => unanswered.push(resolve)) : answer;
          },
          close: () => void closed.push(url),
        }),
        tried: (result) => tried.push(result),
        log: (_, message) => logged.push(message),
        random: () => 0,
      });
    },

    async add(path: string, accountId = ACCOUNT): Promise<string> {
      const wish = { url: urlOf(path), types: [], fullNumbers: false };
      const deps = { records: store, keyring, privateNetworks: [] };
      const made = await addWebhook(deps, {
        ...{ accountId, by: THE_SERVICE, now: clock.now(), ...wish },
      });
      assert.ok(made.kind === 'added');
      return made.id;
    },

    async move(id: string, path: string): Promise<void> {
      const change = { accountId: ACCOUNT, id, by: THE_SERVICE, now: clock.now(), mayGiveNumbers: false };
      await changeWebhook({ records: store, privateNetworks: [] }, { ...change, url: urlOf(path) });
    },

    /** A message for an endpoint. Its id. */
    async write(id: string, accountId = ACCOUNT): Promise<string> {
      const change = { accountId, id, by: THE_SERVICE, now: clock.now() };
      const written = await testWebhook(store, change);
      assert.ok(written !== undefined);
      return written;
    },

    /** What start() does, once, and until nothing moves. */
    async round(sender: Sender): Promise<void> {
      await sender.look();
      for (let before = -1; before !== posted.length; ) {
        before = posted.length;
        await sender.findWork();
        await turn();
        await sender.write();
        await turn();
      }
    },

    async stateOf(id: string) {
      return (await listWebhooks(store, ACCOUNT, clock.now())).find((each) => each.id === id);
    },

    async messagesOf(id: string) {
      return (await recentMessages(store, ACCOUNT, id)).messages;
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
