/**
 * Accounts that refuse numbers by what no look-up of the configuration tells: their owners believe in a rule that refuses nothing. The
 * portal accepts no such rule, but its look-up may be taken away later. Told at the start and by the doctor.
 */
import { refusedBy, wantedBy } from '../core/lookups/facts.ts';
import type { ShownLookup } from '../core/lookups/lookup.ts';
import { query, type Records } from '../core/sql/records.ts';
import { readStored } from './settings.ts';

export interface UnaskedRule {
  readonly account: string;
  readonly name: string;
  /** What is wrong, and how to fix it. */
  readonly detail: string;
}

export async function findUnaskedRules(
  records: Records,
  lookups: readonly Pick<ShownLookup, 'tells'>[],
): Promise<readonly UnaskedRule[]> {
  const rows = await query(
    records,
    `SELECT id, name, settings FROM account_setting JOIN account ON account.id = account_id
      WHERE settings LIKE '%"refuse":{%' ORDER BY id`,
  );
  return rows.flatMap(({ id, name, settings }) => {
    const { refuse } = readStored(String(settings));
    if (!refuse) return [];
    const unasked = wantedBy(refuse).filter((fact) => !lookups.some(({ tells }) => tells.has(fact)));
    if (unasked.length === 0) return [];
    const what = refusedBy(refuse, 'what', unasked).join('; ');
    const detail = `refuses ${what}, but no look-up tells this, so codes are still sent; configure one under lookups, or have an owner turn the rule off`;
    return [{ account: String(id), name: String(name), detail }];
  });
}
