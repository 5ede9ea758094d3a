/** What people want to hear of: a place closed or opened again, a budget ran low. Once for each, in the log and in the store. */

import { type Charge, nameBudget } from '../../core/budgets/budget.ts';
import { formatLimits } from '../../core/budgets/notation.ts';
import type { Random } from '../../core/seams/random.ts';
import { HOUR_MS } from '../../core/seams/spans.ts';
import type { Log } from '../../core/sending/carrier.ts';
import type { Statement } from '../../core/sql/records.ts';
import type { Ask } from '../ask.ts';
import type { Guard } from '../guard.ts';
import { type NamedPlace, placeOf, withoutNumber } from './place.ts';
import type { GuardRefusal } from './refusal.ts';

/** What is told as an event: an operator knows their own rules. */
const TOLD = /^(closed:|bombing$|lookup-)/;

/** Places that are watched until they recover. Beyond that, the ones that refused least lately are forgotten. */
const MOST_PLACES = 500;

/** The last event of a place is not repeated: several nodes may tell it, and a node that has started again. */
const ADD = `INSERT INTO guard_event (id, at, name, account_id, place, detail)
  SELECT $1, CAST($2 AS BIGINT), CAST($3 AS TEXT), $4, $5, $6
  WHERE coalesce((SELECT name FROM guard_event WHERE place = $5 ORDER BY id DESC LIMIT 1), '') <> CAST($3 AS TEXT)`;

/**
 * A period's budget is told once by name and limit, whoever notices. The account of a key is known to the store; by those that took its
 * place, if it is gone.
 */
const ADD_BUDGET = `INSERT INTO guard_event (id, at, name, account_id, place, detail)
  SELECT $1, CAST($2 AS BIGINT), 'budget.reached',
    coalesce(CAST($3 AS TEXT), (SELECT account_id FROM api_key WHERE id = CAST($4 AS TEXT)),
      (SELECT account_id FROM api_key WHERE replace(predecessors, '"' || CAST($4 AS TEXT) || '"', '') <> predecessors LIMIT 1)),
    $5, $6
  ON CONFLICT (id) DO NOTHING`;

interface Acting {
  readonly place: NamedPlace;
  readonly ask: Ask;
  lastAt: number;
}

export class EventLog {
  readonly #guard: Guard;
  readonly #log: Log;
  readonly #random: Random;
  readonly #acting = new Map<string, Acting>();
  #pending: Statement[] = [];

  constructor(guard: Guard, log: Log, random: Random) {
    this.#random = random;
    this.#guard = guard;
    this.#log = log;
  }

  hear({ rule, detail, ask, enforced }: GuardRefusal): void {
    if (!TOLD.test(rule)) return;
    const place = placeOf(rule, ask);
    const known = this.#acting.get(place.name);
    this.#acting.delete(place.name);
    this.#acting.set(place.name, { place, ask: withoutNumber(ask), lastAt: ask.at });
    if (known !== undefined) return;
    const [oldest] = this.#acting.keys();
    if (this.#acting.size > MOST_PLACES && oldest !== undefined) this.#acting.delete(oldest);
    const words = enforced ? 'the guard refuses requests' : 'the guard would refuse requests';
    this.#log('warn', words, {
      event: 'guard.acting',
      rule,
      place: place.label,
      detail,
      account: ask.account,
    });
    this.#add('guard.acting', place, ask.at, detail);
  }

  /** Looks which places opened again, or were not asked for. */
  check(now: number): void {
    for (const [name, { place, ask, lastAt }] of this.#acting) {
      const detail = isOpen(this.#guard, place, { ...ask, at: now })
        ? 'the place is open again'
        : now - lastAt >= HOUR_MS
          ? 'nobody asked there for an hour'
          : undefined;
      if (detail === undefined) continue;
      this.#acting.delete(name);
      this.#log('info', 'the guard lets requests pass again', {
        event: 'guard.recovered',
        place: place.label,
        detail,
      });
      this.#add('guard.recovered', place, now, detail);
    }
  }

  /** A share of a budget was used in its period. */
  budgetReached(charge: Charge, share: number, now: number): void {
    const { kind, subject, per, startsAt, endsAt } = charge;
    const name = nameBudget(charge);
    const account = kind === 'account' || kind === 'account country' ? (subject.split(' ')[0] ?? null) : null;
    const limits = formatLimits(charge);
    // Once it is raised, it runs out once more.
    const id = ['bud', kind, subject, limits, per, startsAt, share].join('_');
    const until = new Date(endsAt).toISOString();
    const detail = `${Math.round(share * 100)} % of ${limits} is used, until ${until}`;
    this.#pending.push({ sql: ADD_BUDGET, args: [id, now, account, subject, name, detail] });
  }

  take(): readonly Statement[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  #add(name: string, { name: place, account }: NamedPlace, exactly: number, detail: string): void {
    const at = Math.round(exactly);
    const id = `evt_${at.toString(16).padStart(12, '0')}${this.#random.bytes(10).toString('hex')}`;
    this.#pending.push({ sql: ADD, args: [id, at, name, account, place, detail] });
  }
}

/** A number's evidence fades without being asked for, so it is told only by the hour. */
function isOpen(guard: Guard, { kind }: NamedPlace, ask: Ask): boolean {
  if (kind === undefined) return false;
  return guard.explain(ask).places.some((place) => place.kind === kind && place.state !== 'closed');
}
