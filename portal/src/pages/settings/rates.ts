/** The limits of one number in words, and as the rows of a form. */
import type { SettingsView } from '#contract/settings.ts';
import type { FieldErrorCode } from '../../../../src/core/errors/field-error.ts';
import { findTighter } from '../../../../src/core/verification/account-limits.ts';
import { formatLimit, parseLimit } from '../../../../src/core/verification/limits.ts';

export type Ceiling = SettingsView['defaults']['sends_per_destination'];

export interface Rate {
  readonly max: string;
  readonly length: string;
  readonly unit: string;
}

export const UNITS = [
  { value: 's', label: 'seconds' },
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
];

export function readRate(text: string): Rate {
  const [, max = '', length = '', unit = 'm'] = /^(\d+)\/(\d+)([smhd])$/.exec(text) ?? [];
  return { max, length, unit };
}

export const writeRate = ({ max, length, unit }: Rate): string => `${max}/${length}${unit}`;

/** `5/10m` as `5 in 10 minutes`; a unit that no row has, as it stands. */
export function rateWords(text: string): string {
  const { max, length, unit } = readRate(text);
  const label = UNITS.find(({ value }) => value === unit)?.label ?? '';
  return max === '' ? text : `${max} in ${length} ${length === '1' ? label.slice(0, -1) : label}`;
}

/** What is wrong with a row, in a sentence; undefined if only the server knows. */
export function whatIsWrong(
  rate: Rate,
  code: FieldErrorCode | undefined,
  ceiling: Ceiling,
): string | undefined {
  if (code !== 'no_effect') return 'At most 1,000,000, in a period of at most 1 day.';
  const text = writeRate(rate);
  const limit = parseLimit(text);
  const others = ceiling.limits.flatMap((other) => parseLimit(other) ?? []);
  const tighter = limit && findTighter(limit, others);
  return (
    tighter &&
    `${rateWords(text)} would have no effect, because ${rateWords(formatLimit(tighter))} holds already.`
  );
}
