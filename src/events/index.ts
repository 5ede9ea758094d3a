/** Sends webhooks while any account has an endpoint; until then nothing of it is loaded, and nobody asks for anything. */

import { describeError } from '../core/errors/error-facts.ts';
import type { EventQueue } from '../core/events/queue.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Random } from '../core/seams/random.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Log } from '../core/sending/carrier.ts';
import { query, type Records } from '../core/sql/records.ts';
import type { createPost } from './post.ts';
import type { Sender } from './sender.ts';

/** How long an endpoint may take to answer (Standard Webhooks: 15 to 30 s). */
const TIMEOUT_MS = 15_000;

/** Of requests under way, to one endpoint and to all. */
const BOUNDS = { perEndpoint: 10, atOnce: 100 };

/** What waits is not counted further than this. */
const COUNTED = 100_000;

interface EventMetrics {
  /** A try, by what became of it. */
  webhookTried(result: 'sent' | 'failed' | 'given-up'): void;
  /** Shows how many messages wait, and since when the oldest does (Unix ms); undefined while there is no endpoint. */
  watchWebhooks(read: () => Promise<WaitingMessages | undefined>): void;
}

interface WaitingMessages {
  readonly count: number;
  readonly oldest: number | undefined;
}

interface EventParts {
  readonly config: {
    readonly webhooks: {
      readonly privateNetworks: readonly string[];
    };
    readonly delivery: { readonly lease: number };
  };
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
  /** Loads what posts to endpoints. */
  readonly loadPost: () => Promise<{ readonly createPost: typeof createPost }>;
  readonly store: Records & EventQueue & { readonly isShared: boolean };
  readonly metrics: EventMetrics;
  readonly log: { readonly note: Log };
}

interface Events extends AsyncDisposable {
  /** Called with the revision of the accounts' records: with a new one, looks for endpoints, and starts or stops sending. */
  readonly follow: (revision: number) => void;
}

export function openEvents({
  config,
  keyring,
  clock,
  random,
  loadPost,
  store,
  metrics,
  log,
}: EventParts): Events {
  // A process that has its store for itself takes over what the one before had leased.
  const node = store.isShared ? random.uuid() : 'the only one';
  let sender: Sender | undefined;
  let known: number | undefined;
  let looking = Promise.resolve();
  let closed = false;

  async function look(): Promise<void> {
    const [found] = await query(store, 'SELECT 1 AS found FROM webhook WHERE disabled_at IS NULL LIMIT 1');
    if (closed) return;
    if (found === undefined) {
      const over = sender;
      sender = undefined;
      await over?.stop();
    } else if (sender === undefined) {
      const [made, posts] = await Promise.all([import('./sender.ts'), loadPost()]);
      if (closed) return;
      const { privateNetworks } = config.webhooks;
      const post = { clock, connections: BOUNDS.perEndpoint, timeoutMs: TIMEOUT_MS, privateNetworks };
      sender = new made.Sender({
        ...{ records: store, queue: store, keyring, clock, node, lease: config.delivery.lease },
        bounds: BOUNDS,
        openPost: (url) => posts.createPost(url, post),
        tried: metrics.webhookTried,
        log: log.note,
        random: random.fraction,
      });
      sender.start();
    } else await sender.look();
  }

  /** One after another; what fails is tried again at the next question. */
  const lookAgain = () => {
    looking = looking.then(look).catch((error) => {
      known = undefined;
      log.note('warn', 'webhooks not looked up', { error: describeError(error) });
    });
  };

  metrics.watchWebhooks(async () => (sender === undefined ? undefined : countWaiting(store)));

  return {
    follow(revision) {
      if (revision === known || closed) return;
      known = revision;
      lookAgain();
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await looking;
      await sender?.stop();
    },
  };
}

/** Of endpoints in use. */
async function countWaiting(records: Records): Promise<WaitingMessages> {
  const [row] = await query(
    records,
    `SELECT count(*) AS waiting, min(at) AS oldest FROM (
      SELECT at FROM webhook_message JOIN webhook ON webhook.id = webhook_id
      WHERE due_at IS NOT NULL AND disabled_at IS NULL LIMIT ${COUNTED}) AS due`,
  );
  const oldest = row?.oldest ?? null;
  return { count: Number(row?.waiting ?? 0), oldest: oldest === null ? undefined : Number(oldest) };
}
