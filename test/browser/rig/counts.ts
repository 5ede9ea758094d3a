/** Counts as hours of traffic would have left them, for pages whose figures a test knows. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const HOUR_MS = 3_600_000;
const BUSY_MS = 20_000;

interface Counted {
  readonly hoursAgo: number;
  readonly country: string;
  /** None for what belongs to no carrier, as a request. */
  readonly carrier?: string;
  readonly requested?: number;
  readonly submitted?: number;
  readonly delivered?: number;
  readonly confirmed?: number;
  /** In millionths. */
  readonly cost?: number;
  /** How many of the confirmed were so within 2.5 s, and after more than 1 s. */
  readonly quick?: number;
}

/** The start of the hour so many hours ago. */
export const hourAgo = (hours: number, now = Date.now()): number => now - (now % HOUR_MS) - hours * HOUR_MS;

export function addCounts(dataDir: string, accountId: string, counts: readonly Counted[]): void {
  // The service writes at the same time.
  using db = new DatabaseSync(join(dataDir, 'countersign.db'), { timeout: BUSY_MS });
  const tally = db.prepare(`
    INSERT INTO tally (width, at, account_id, test, channel, country, carrier, key_id, requested, failed_attempts,
      submitted, delivered, undelivered, failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
    VALUES (?, ?, ?, 0, 'sms', ?, ?, 'key_x', ?, 0, ?, ?, 0, 0, ?, 0, 0, 0, ?)`);
  const bins = Array.from({ length: 15 }, (_, bin) => `bin_${bin}`);
  const latency = db.prepare(`
    INSERT INTO latency_tally (width, at, stage, account_id, test, channel, country, carrier, ${bins})
    VALUES (?, ?, 'confirmed', ?, 0, 'sms', ?, ?, ${bins.map((bin) => (bin === 'bin_5' ? '?' : '0'))})`);
  db.exec('BEGIN IMMEDIATE');
  for (const { hoursAgo, country, carrier = '', quick = 0, ...count } of counts) {
    const { requested = 0, submitted = 0, delivered = 0, confirmed = 0, cost = 0 } = count;
    const at = hourAgo(hoursAgo);
    const measures = [requested, submitted, delivered, confirmed, cost];
    tally.run(HOUR_MS, at, accountId, country, carrier, ...measures);
    if (quick > 0) latency.run(HOUR_MS, at, accountId, country, carrier, quick);
  }
  db.exec('COMMIT');
}
