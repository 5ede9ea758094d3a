/** One endpoint with its latest messages, a test of it, and sending messages again. */

import { findWebhook } from '../../accounts/webhooks/endpoints.ts';
import {
  findMessage,
  recentMessages,
  replayMessages,
  type SentMessage,
  testWebhook,
} from '../../accounts/webhooks/messages.ts';
import { SYSTEM_CLOCK, sleep } from '../../core/seams/clock.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { formatTable } from '../table.ts';
import { unknown, withEndpoint } from './one.ts';
import { formatTime, shownAsJson } from './shown.ts';

/** How long a test waits to hear what became of it: longer than the service waits for an endpoint. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 200;

const DISABLED = 'it is disabled, so nothing is sent to it; `webhooks enable` changes that';

export async function showEndpoint(id: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const { webhook, messages } = await withEndpoint(await readConfiguration(), id, async (store, change) => {
    const found = await findWebhook(store, change.accountId, id, change.now);
    if (found === undefined) throw unknown();
    return { webhook: found, ...(await recentMessages(store, change.accountId, id)) };
  });
  const shown = shownAsJson(webhook);
  if (json) {
    console.log(JSON.stringify({ ...shown, messages: messages.map(shownMessage) }, null, 2));
    return;
  }
  const facts = { ...shown, types: webhook.types.join(',') || 'all' };
  for (const [name, value] of Object.entries(facts)) if (value !== null) console.log(`${name}: ${value}`);
  if (messages.length > 0) console.log(`\n${formatTable(messages.map(shownMessage))}`);
}

/** Fails if the endpoint does not take it. */
export async function testEndpoint(id: string): Promise<void> {
  const message = await withEndpoint(await readConfiguration(), id, async (store, change) => {
    const sent = await testWebhook(store, change);
    if (sent === undefined) throw new CommandFailure(DISABLED);
    console.error(`wrote ${sent}`);
    const deadline = SYSTEM_CLOCK.steady() + PATIENCE_MS;
    for (;;) {
      const found = await findMessage(store, change.accountId, id, sent);
      if (found === undefined || found.tries > 0 || SYSTEM_CLOCK.steady() > deadline) return found;
      await sleep(SYSTEM_CLOCK, LOOK_MS);
    }
  });
  if (message?.state === 'sent') {
    console.log('the endpoint took it');
    return;
  }
  throw new CommandFailure(
    message === undefined || message.tries === 0
      ? 'nobody sent it so far; is the service running on this store?'
      : `the endpoint did not take it: ${message.lastAnswer}`,
  );
}

export interface WebhookReplayOptions {
  readonly since: string;
  readonly until?: string;
  /** Also what the endpoint took. */
  readonly all?: boolean;
}

export async function replaySpan(
  id: string,
  { since, until, all = false }: WebhookReplayOptions,
): Promise<void> {
  const from = readTime('--since', since);
  const to = until === undefined ? undefined : readTime('--until', until);
  if (to !== undefined && to <= from) throw new CommandFailure('--until must be later than --since');
  const count = await withEndpoint(await readConfiguration(), id, (store, change) =>
    replayMessages(store, { ...change, since: from, until: to ?? change.now, alsoTaken: all }),
  );
  if (count === undefined) throw new CommandFailure(DISABLED);
  console.log(`messages that are sent again: ${count}`);
}

function readTime(option: string, text: string): number {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new CommandFailure(`${option} must be a time such as 2026-11-01T00:00:00Z`);
}

const shownMessage = ({ id, type, at, state, tries, lastAnswer, nextTryAt }: SentMessage) => ({
  id,
  type,
  at: formatTime(at),
  state,
  tries: String(tries),
  last_answer: lastAnswer,
  next_try_at: nextTryAt === 0 ? null : formatTime(nextTryAt),
});
