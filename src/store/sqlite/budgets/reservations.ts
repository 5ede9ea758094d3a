/**
 * What verifications take from budgets, and give back. PostgreSQL does it in functions, which lock the rows of budgets that
 * nodes share (postgres/schema/functions/budgets.sql).
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  type Charge,
  isSameBook,
  joined,
  NEARLY_USED,
  type Reservation,
} from '../../../core/budgets/budget.ts';
import { isLater } from '../../../core/sending/carrier-on.ts';
import type { Delivery, MoreOutcome } from '../../../core/sending/delivery.ts';
import type { IssueOutcome, NewVerification } from '../../../core/verification/verification.ts';
import { hotStatements } from '../sql/hot-statement.ts';

type Prices = Reservation['prices'];

/** A reservation as the store keeps it. */
interface Kept {
  readonly charges: readonly Charge[];
  readonly prices: Prices;
  readonly held: number;
  readonly spent: number | null;
  readonly underWay: boolean;
}

/** What one budget is asked for. */
interface Part {
  readonly charge: Charge;
  readonly cost: number;
  readonly count: number;
}

type Issued = Extract<IssueOutcome, { kind: 'issued' }>;

export type Reservations = ReturnType<typeof createReservations>;

export function createReservations(db: DatabaseSync) {
  const prepare = hotStatements(db);
  // Guard and write are one statement; a limit of null never refuses.
  const add = prepare(`
    INSERT INTO budget_use (kind, subject, per, starts_at, ends_at, money, messages)
    SELECT :kind, :subject, :per, :startsAt, :endsAt, :cost, :count
    WHERE coalesce(:cost <= :money, true) AND coalesce(:count <= :messages, true)
    ON CONFLICT DO UPDATE SET money = money + excluded.money, messages = messages + excluded.messages
    WHERE coalesce(money + excluded.money <= :money, true)
      AND coalesce(messages + excluded.messages <= :messages, true)`);
  const ofCharge = 'kind = :kind AND subject = :subject AND per = :per AND starts_at = :startsAt';
  const warn = prepare(`
    UPDATE budget_use SET
      warned_money = max(warned_money, coalesce(:money, 0)), warned_messages = max(warned_messages, coalesce(:messages, 0))
    WHERE ${ofCharge} AND (
      money >= ${NEARLY_USED} * :money AND warned_money < :money
      OR messages >= ${NEARLY_USED} * :messages AND warned_messages < :messages)`);
  const giveBack = prepare(
    `UPDATE budget_use SET money = money - :cost, messages = messages - :count WHERE ${ofCharge}`,
  );
  const insert = prepare(`
    INSERT INTO reservation (verification_id, charges, prices, held, fence, under_way, expires_at)
    VALUES (:id, :charges, :prices, :held, :fence, 1, :expiresAt)`);
  const find = prepare('SELECT * FROM reservation WHERE verification_id = :id');
  const endRound = prepare(`
    UPDATE reservation SET spent = :spent, under_way = 0
    WHERE verification_id = :id AND fence = :fence AND under_way = 1`);
  const beginRound = prepare(`
    UPDATE reservation SET spent = :spent, prices = :prices, fence = :fence, under_way = 1
    WHERE verification_id = :id`);
  const extend = prepare(
    'UPDATE reservation SET charges = :charges, prices = :prices, held = held + :cost WHERE verification_id = :id',
  );
  const isWaiting = prepare('SELECT 1 FROM delivery WHERE verification_id = :id');
  const remove = prepare('DELETE FROM reservation WHERE verification_id = :id');
  /** Without a budget there never is one, and nobody looks. */
  let isAny = db.prepare('SELECT 1 FROM reservation LIMIT 1').get() !== undefined;

  /** Takes all of the parts or none. Answers those that have no room. */
  function take(parts: readonly Part[]): number[] {
    db.exec('SAVEPOINT budgets');
    const full = [...parts.entries()].flatMap(([index, { charge, cost, count }]) =>
      add.run({ ...charge, cost, count }).changes === 0 ? index : [],
    );
    if (full.length > 0) db.exec('ROLLBACK TO budgets');
    db.exec('RELEASE budgets');
    return full;
  }

  /** Those that are filled so far for the first time that it should be told. */
  const warnOf = (charges: readonly Charge[]): number[] =>
    [...charges.entries()].flatMap(([index, charge]) => (warn.run({ ...charge }).changes === 1 ? index : []));

  function lookUp(id: string): Kept | undefined {
    const row = isAny ? find.get({ id }) : undefined;
    return row && keptOf(row);
  }

  /** Gives back what was not spent, once nothing is left to send and no round is under way that may still cost something. */
  function end(id: string): void {
    const kept = lookUp(id);
    if (kept === undefined || kept.underWay || isWaiting.get({ id }) !== undefined) return;
    remove.run({ id });
    const [cost, count] = [kept.held - (kept.spent ?? 0), kept.spent === null ? 1 : 0];
    if (cost === 0 && count === 0) return;
    for (const charge of kept.charges) giveBack.run({ ...charge, cost, count });
  }

  return {
    end,

    /** Takes what a new verification may cost from every budget, or from none. */
    reserve(
      { id, createdAt, expiresAt }: NewVerification,
      { charges, prices }: Reservation,
    ): Extract<IssueOutcome, { kind: 'issued' | 'exhausted' }> {
      const held = sum(Object.values(prices));
      const full = lastOf(take(charges.map((charge) => ({ charge, cost: held, count: 1 }))), charges);
      if (full !== undefined) {
        return { kind: 'exhausted', charge: full, retryAfterMs: (charges[full]?.endsAt ?? 0) - createdAt };
      }
      isAny = true;
      insert.run({ id, ...written({ charges, prices }), held, fence: 0, expiresAt });
      return issuedWith(warnOf(charges));
    },

    /** Takes what is paid at once. The caller has seen that there is room. */
    spend(charges: readonly Charge[], cost: number): Issued {
      for (const charge of charges) add.run({ ...charge, cost, count: 0 });
      return issuedWith(warnOf(charges));
    },

    /**
     * Adds to what a message holds, in the round of this lease; all of it or nothing. What it holds beyond what was paid, and what this
     * round may cost so far, is used first.
     */
    add(
      { id, fence, expiresAt }: { readonly id: string; readonly fence: number; readonly expiresAt: number },
      more: Reservation,
    ): MoreOutcome {
      const kept = lookUp(id);
      const reservation = joined(kept, more);
      const before = kept?.charges ?? [];
      const needed = (kept?.spent ?? 0) + sum(Object.values(reservation.prices));
      const cost = Math.max(needed - (kept?.held ?? 0), 0);
      const parts = reservation.charges.flatMap((charge) => {
        // With what the message held before, which the budget is given back from in the end.
        if (!before.some((each) => isSameBook(each, charge)))
          return { charge, cost: cost + (kept?.held ?? 0), count: 1 };
        return cost > 0 ? { charge, cost, count: 0 } : [];
      });
      const asked = take(parts).map((index) => parts[index]?.charge);
      const full = lastOf(
        [...more.charges.keys()].filter((place) => asked.includes(more.charges[place])),
        more.charges,
      );
      if (full !== undefined) return { full };
      isAny = true;
      if (kept === undefined) insert.run({ id, ...written(reservation), held: cost, fence, expiresAt });
      else extend.run({ id, ...written(reservation), cost });
      return 'reserved';
    },

    /** Notes what the round of this lease may have cost. */
    settle(id: string, fence: number, charged: readonly string[]): void {
      const kept = lookUp(id);
      if (kept === undefined) return;
      const spent =
        charged.length === 0
          ? kept.spent
          : (kept.spent ?? 0) + sum(charged.map((name) => kept.prices[name] ?? 0));
      endRound.run({ id, fence, spent });
      end(id);
    },

    /**
     * Begins another round under a new lease. If the holder of the one before fell silent, its round may have cost
     * everything. Where what is left does not cover all carriers that may be asked, it covers none: each is reserved before it is
     * asked, under the limits of then, which only who sends knows. A message that goes by a later channel never goes back to the
     * first.
     */
    renew({
      id,
      fence,
      spentCarriers,
      leg,
    }: Pick<Delivery, 'id' | 'fence' | 'spentCarriers' | 'leg'>): Reservation | null {
      const kept = lookUp(id);
      if (kept === undefined) return null;
      const left = Object.fromEntries(
        Object.entries(kept.prices).filter(
          ([carrier]) => !spentCarriers.includes(carrier) && (leg === 0 || isLater(carrier)),
        ),
      );
      const worst = sum(Object.values(left));
      const spent = kept.underWay ? (kept.spent ?? 0) + worst : kept.spent;
      const prices = (spent ?? 0) + worst <= kept.held ? left : {};
      beginRound.run({ id, fence, spent, prices: JSON.stringify(prices) });
      return { charges: kept.charges, prices };
    },
  };
}

/** Of these, the place of the one that frees up last. */
const lastOf = (places: readonly number[], charges: readonly Charge[]): number | undefined =>
  places.toSorted((a, b) => (charges[b]?.endsAt ?? 0) - (charges[a]?.endsAt ?? 0))[0];

const issuedWith = (nearlyUsed: readonly number[]): Issued =>
  nearlyUsed.length === 0 ? { kind: 'issued' } : { kind: 'issued', nearlyUsed };

function keptOf(row: Record<string, SQLOutputValue>): Kept {
  return {
    charges: JSON.parse(String(row.charges)),
    prices: JSON.parse(String(row.prices)),
    held: Number(row.held),
    spent: row.spent === null ? null : Number(row.spent),
    underWay: row.under_way === 1,
  };
}

const written = ({ charges, prices }: Reservation) => ({
  charges: JSON.stringify(charges),
  prices: JSON.stringify(prices),
});

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
