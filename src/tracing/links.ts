/**
 * Keeps which span a message belongs to, for whoever meets it later: the node that claims it after a crash, and the node that
 * hears of its receipt. Rows are written together and nobody waits for them; a lost one costs a link.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../core/seams/clock.ts';
import { query, type Records, type Value } from '../core/sql/records.ts';
import { formatContext, readContext, type SpanContext } from './context.ts';

/** Rows of one statement. Statements of each size are prepared once. */
const MOST_ROWS = 50;
/** Beyond that, rows are lost. */
const MOST_WAITING = 10_000;

export interface Links {
  keep(name: string, context: SpanContext): void;
  /** By name. Without those that are not known, or if the store is away. */
  find(names: readonly string[]): Promise<ReadonlyMap<string, SpanContext>>;
  /** Waits for what is being written. */
  settled(): Promise<void>;
}

/** The name of what a receipt will name. A reference is a carrier's own text, of any length. */
export function nameOfReference(carrier: string, reference: string): string {
  return createHash('sha256').update(`${carrier}\0${reference}`).digest('base64url');
}

export function createLinks({ wall }: Clock, records: Records): Links {
  const waiting = new Map<string, SpanContext>();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    // What comes in the same turn goes along.
    await undefined;
    while (waiting.size > 0) {
      // In one order, so that two nodes cannot wait for each other.
      const rows = [...waiting].slice(0, MOST_ROWS).sort(([one], [other]) => (one < other ? -1 : 1));
      const args = rows.flatMap(([name, context]): Value[] => [name, formatContext(context), wall()]);
      // It was only for a link.
      await query(records, insertOf(rows.length), ...args).catch(() => {});
      for (const [name, context] of rows) if (waiting.get(name) === context) waiting.delete(name);
    }
  }

  return {
    keep(name, context) {
      if (waiting.size >= MOST_WAITING) return;
      waiting.set(name, context);
      writing ??= write().finally(() => {
        writing = undefined;
      });
    },

    async find(names) {
      const found = new Map<string, SpanContext>();
      for (let from = 0; from < names.length; from += MOST_ROWS) {
        const some = names.slice(from, from + MOST_ROWS);
        const rows = await query(records, selectOf(some.length), ...some).catch(() => []);
        for (const { name, context } of rows) {
          const read = readContext(String(context), undefined);
          if (read !== undefined) found.set(String(name), read);
        }
      }
      for (const name of names) {
        const unwritten = waiting.get(name);
        if (unwritten !== undefined) found.set(name, unwritten);
      }
      return found;
    },

    settled: async () => writing,
  };
}

function insertOf(rows: number): string {
  const values = Array.from(
    { length: rows },
    (_, row) => `($${3 * row + 1}, $${3 * row + 2}, $${3 * row + 3})`,
  );
  return `INSERT INTO trace_link (name, context, noted_at) VALUES ${values.join(', ')}
    ON CONFLICT (name) DO UPDATE SET context = excluded.context, noted_at = excluded.noted_at`;
}

function selectOf(names: number): string {
  const values = Array.from({ length: names }, (_, index) => `$${index + 1}`);
  return `SELECT name, context FROM trace_link WHERE name IN (${values.join(', ')})`;
}
