/** The evidence at places that refused lately, minute by minute. */
import { HOUR_MS, MINUTE_MS } from '../../core/seams/spans.ts';
import type { Statement } from '../../core/sql/records.ts';
import type { Ask } from '../ask.ts';
import type { Guard } from '../guard.ts';
import { type NamedPlace, placeOf, withoutNumber } from './place.ts';
import type { GuardRefusal } from './refusal.ts';

const MOST_PLACES = 200;
/** The memory that is shown: what a refusal's words count, too. */
const DAYS = 2;

const ADD = `INSERT INTO guard_evidence
  (place, minute, sent, confirmed, odds, closes_at, closed, probes, next_probe_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (place, minute) DO UPDATE SET sent = excluded.sent, confirmed = excluded.confirmed,
    odds = excluded.odds, closes_at = excluded.closes_at, closed = excluded.closed, probes = excluded.probes,
    next_probe_at = excluded.next_probe_at`;

interface Watched {
  readonly place: NamedPlace;
  readonly ask: Ask;
}

export class EvidenceLog {
  readonly #guard: Guard;
  /** The one that refused least lately comes first. */
  readonly #watched = new Map<string, Watched>();
  readonly #news = new Set<string>();
  #minute = 0;

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  hear({ rule, ask }: GuardRefusal): void {
    const place = placeOf(rule, ask);
    if (place.kind === undefined) return;
    if (!this.#watched.delete(place.name)) this.#news.add(place.name);
    this.#watched.set(place.name, { place, ask: withoutNumber(ask) });
    const [oldest] = this.#watched.keys();
    if (this.#watched.size > MOST_PLACES && oldest !== undefined) this.#watched.delete(oldest);
  }

  /** A row for each place once a minute, and one at once for a place that is new. */
  take(now: number): readonly Statement[] {
    const minute = now - (now % MINUTE_MS);
    const isDue = minute !== this.#minute;
    this.#minute = minute;
    const rows: Statement[] = [];
    for (const [name, watched] of this.#watched) {
      if (now - watched.ask.at > HOUR_MS) this.#watched.delete(name);
      else if (isDue || this.#news.has(name)) rows.push(...this.#rowOf(watched, now, minute));
    }
    this.#news.clear();
    return rows;
  }

  #rowOf({ place, ask }: Watched, now: number, minute: number): Statement[] {
    const { places } = this.#guard.explain({ ...ask, at: now });
    return places
      .filter(({ kind }) => kind === place.kind)
      .map(({ sent, confirmed, odds, closesAt, state, probes }) => ({
        sql: ADD,
        args: [
          ...[place.name, minute, sent[DAYS] ?? 0, confirmed[DAYS] ?? 0, odds, closesAt],
          ...[state === 'closed' ? 1 : 0, Math.round(probes?.failed ?? 0)],
          probes === undefined ? null : Math.round(probes.nextAt),
        ],
      }));
  }
}
