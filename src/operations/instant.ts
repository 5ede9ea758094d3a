import type { FieldError, FieldFault } from '../core/errors/field-error.ts';

/** The time span of a request in Unix ms, or what is wrong with it. */
export type ParsedSpan =
  | { readonly ok: true; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

const NO_TIME: FieldFault = {
  code: 'not_a_time',
  detail: 'must be a time in 1970 or later, such as 2026-11-20T12:00:00Z',
};

export function parseSpan(query: { readonly from?: string; readonly to?: string }): ParsedSpan {
  const from = parseInstant(query.from);
  const to = parseInstant(query.to);
  const errors: FieldError[] = Object.entries({ from, to })
    .filter(([, at]) => Number.isNaN(at))
    .map(([field]) => ({ field, ...NO_TIME }));
  if (errors.length === 0 && from !== undefined && to !== undefined && from >= to) {
    errors.push({ field: 'to', code: 'out_of_order', detail: 'must be later than `from`' });
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, from, to };
}

export const formatInstant = (at: number): string => new Date(at).toISOString();

export const formatOptional = (at: number | null): string | null => (at === null ? null : formatInstant(at));

/** NaN if it is not a time: the schema's format allows leap seconds and years before 1970. */
function parseInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  return at < 0 ? Number.NaN : at;
}
