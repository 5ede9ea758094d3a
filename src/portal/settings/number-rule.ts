/** What an account refuses by look-ups, as the portal shows and checks it. */
import type { AccountSettings } from '../../core/accounts/account-settings.ts';
import type { FieldError } from '../../core/errors/field-error.ts';
import { type NumberFact, type NumberRule, wantedBy } from '../../core/lookups/facts.ts';
import type { ShownLookup } from '../../core/lookups/lookup.ts';
import type { Settings } from './contract.ts';

type Written = Settings['refuse'];

export function showNumberRule(rule: AccountSettings['refuse']): NonNullable<Written> | null {
  if (!rule) return null;
  const { swappedWithinHours, portedWithinHours = null, lineTypes, recycled } = rule;
  return {
    swapped_within_hours: swappedWithinHours,
    ported_within_hours: portedWithinHours,
    line_types: [...lineTypes],
    recycled,
  };
}

const FIELDS: Readonly<Record<NumberFact, string>> = {
  lineType: 'refuse/line_types',
  swapped: 'refuse/swapped_within_hours',
  ported: 'refuse/ported_within_hours',
  recycled: 'refuse/recycled',
};

/** One that refuses nothing is none. What the account has may stay when its look-up is gone. */
export function readNumberRule(
  written: Written,
  stored: AccountSettings['refuse'],
  lookups: readonly ShownLookup[],
): { readonly rule: NumberRule | null; readonly errors: readonly FieldError[] } {
  if (!written) return { rule: null, errors: [] };
  const rule: NumberRule = {
    swappedWithinHours: written.swapped_within_hours ?? null,
    portedWithinHours: written.ported_within_hours ?? null,
    lineTypes: [...new Set(written.line_types)],
    recycled: written.recycled ?? false,
  };
  const wanted = wantedBy(rule);
  const kept = stored ? wantedBy(stored) : [];
  const errors = wanted
    .filter((fact) => !kept.includes(fact) && !lookups.some(({ tells }) => tells.has(fact)))
    .map(
      (fact): FieldError => ({
        field: FIELDS[fact],
        code: 'no_effect',
        detail: 'would have no effect, because no look-up of this service can tell it',
      }),
    );
  return { rule: wanted.length === 0 ? null : rule, errors };
}
