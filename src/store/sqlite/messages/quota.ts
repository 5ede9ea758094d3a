/** Quotas. The only writer needs no lock; in PostgreSQL nodes race for a row, and `min` and `max` have other names. */
import type { DatabaseSync } from 'node:sqlite';

export function createQuotas(db: DatabaseSync) {
  // Guard and write are one statement. A lower `max` takes nothing back.
  const take = db.prepare(`
    INSERT INTO quota (name, day, taken, granted) VALUES (:name, :day, min(:count, :max), min(:count, :max))
    ON CONFLICT DO UPDATE SET
      taken = taken + min(:count, max(:max - taken, 0)), granted = min(:count, max(:max - taken, 0))
    RETURNING granted`);
  const giveBack = db.prepare(
    'UPDATE quota SET taken = max(taken - :count, 0) WHERE name = :name AND day = :day',
  );
  return {
    takeQuota: (name: string, day: number, max: number, count: number): number =>
      Number(take.get({ name, day, max, count })?.granted),
    returnQuota(name: string, day: number, count: number): void {
      giveBack.run({ name, day, count });
    },
  };
}
