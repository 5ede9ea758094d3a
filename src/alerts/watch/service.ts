/** What concerns the whole installation: its carriers, its queue, its certificate. */

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AlertFinding } from '../../core/alerts/judge.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import { troubleOf } from '../../core/sending/carrier-state.ts';
import type { QueueAge } from '../../core/sending/delivery.ts';
import { query, type Row } from '../../core/sql/records.ts';
import type { AlertSource, Look } from './source.ts';

/** A node that says nothing for so long is gone. */
const SILENT_MS = 5 * 60_000;

/** Look-ups are kept beside carriers (core/lookups/lookup-state.ts), and take no messages. */
const SEEN = `SELECT carrier, breaker, error_reason, error_at FROM carrier_state
  WHERE at > CAST($1 AS BIGINT) AND carrier NOT LIKE 'look-up %' ORDER BY carrier`;

/** Not through the port for carriers' states, whose first call starts a thread of the embedded store. */
export async function watchCarriers({ records, now }: Look): Promise<readonly AlertFinding[]> {
  const seen = Map.groupBy(await query(records, SEEN, now - SILENT_MS), ({ carrier }) => String(carrier));
  return [...seen].flatMap(([carrier, nodes]): AlertFinding[] => {
    const trouble = nodes.map((row) => wordsOf(row, now)).find((words) => words !== undefined);
    const isTried = nodes.some(({ breaker }) => breaker === 'half-open');
    if (trouble === undefined && !isTried) return [];
    return [
      {
        ...{ rule: 'carrier-down', accountId: null, subject: `carrier ${carrier}`, place: 'carriers' },
        level: trouble === undefined ? 'near' : 'bad',
        detail: `${carrier} takes no messages${trouble === undefined ? '' : `: ${trouble}`}.`,
      },
    ];
  });
}

/** Undefined if the node can send with it. */
function wordsOf({ breaker, error_reason, error_at }: Row, now: number): string | undefined {
  const lastError = typeof error_reason === 'string' ? { reason: error_reason, at: Number(error_at) } : null;
  const seen = { breaker: breaker === 'open' ? breaker : 'closed', lastError } as const;
  return troubleOf(seen, now) === undefined ? undefined : (lastError?.reason ?? 'its tries fail');
}

export function createQueueWatch(queue: QueueAge): AlertSource {
  return async ({ now, thresholdOf }) => {
    const threshold = thresholdOf('queue-late');
    const oldest = await queue.oldestWaiting();
    const seconds = oldest === undefined ? 0 : Math.floor((now - oldest) / 1_000);
    if (seconds < threshold / 2) return [];
    return [
      {
        rule: 'queue-late',
        accountId: null,
        subject: 'queue',
        level: seconds >= threshold ? 'bad' : 'near',
        detail: `The oldest message that waits to be sent is ${seconds} s old.`,
        place: 'alerts',
      },
    ];
  };
}

const LOOK_EVERY_MS = 3_600_000;

/** `file`: the served certificate; undefined behind a proxy, which has its own. */
export function createCertificateWatch(file: string | undefined): AlertSource {
  let looked: { readonly at: number; readonly until: number } | undefined;
  return async ({ now, thresholdOf }) => {
    if (file === undefined) return [];
    if (looked === undefined || now - looked.at >= LOOK_EVERY_MS || looked.at > now) {
      const until = await validUntil(file);
      if (until !== undefined) looked = { at: now, until };
    }
    if (looked === undefined) return [];
    const { until } = looked;
    const days = Math.floor((until - now) / DAY_MS);
    if (days >= thresholdOf('certificate-expires')) return [];
    const when = new Date(until).toISOString().slice(0, 10);
    return [
      {
        rule: 'certificate-expires',
        accountId: null,
        subject: 'certificate',
        level: 'bad',
        detail:
          until <= now
            ? `The certificate expired on ${when}.`
            : `The certificate expires on ${when}, in ${days} days.`,
        place: 'alerts',
      },
    ];
  };
}

/** Undefined if it cannot be read, or only half: the listener goes on with the one that it has. It is looked at again soon. */
async function validUntil(file: string): Promise<number | undefined> {
  try {
    return Date.parse(new X509Certificate(await readFile(file)).validTo);
  } catch {
    return undefined;
  }
}
