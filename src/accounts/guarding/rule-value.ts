/** What a rule of the guard is about, as people name it. */
import { isIP } from 'node:net';
import { describeCountedAs, hasOwnNumbers } from '../../core/destination/counted-as.ts';
import { parseAnyDestination } from '../../core/destination/destination.ts';
import { plainNumber } from '../../core/destination/plain-number.ts';
import { telephoneOf } from '../../core/destination/telephone.ts';
import type { FieldFault } from '../../core/errors/field-error.ts';
import type { RuleSubject } from '../../core/guarding/guard-rule.ts';
import { isKnownCountry, meantCountry } from '../../core/message/locales/countries.ts';
import { query, type Records } from '../../core/sql/records.ts';
import { clientNetworkOf } from '../../core/text/network.ts';

/** `clear` values are kept as they are, all others are somebody's, and are hashed and sealed. */
export type RuleValue =
  | { readonly ok: true; readonly text: string; readonly clear: boolean }
  | ({ readonly ok: false } & FieldFault);

const RANGE = /^\+[1-9]\d{2,11}$/;

const NO_ACCOUNT = wrong('not_allowed_value', 'must be an account that this rule may be about');
const NO_KEY = wrong(
  'not_allowed_value',
  'must be the id or the prefix of a key that this rule may be about',
);

/** Keys and accounts must be there, and be the account's if the rule is. */
export async function readRuleValue(
  records: Records,
  accountId: string | null,
  subject: RuleSubject,
  input: string,
): Promise<RuleValue> {
  const text = input.trim();
  switch (subject) {
    case 'range':
      return readRange(text);
    case 'number': {
      const parsed = parseAnyDestination(text);
      if (parsed.ok) return { ok: true, text: telephoneOf(parsed.destination.address), clear: false };
      return wrong('wrong_format', 'must be a full number such as +14155550123');
    }
    case 'country': {
      const country = text.toUpperCase();
      if (!hasOwnNumbers(country))
        return wrong('not_a_country', `is of no use: ${describeCountedAs([country])}`);
      if (isKnownCountry(country)) return { ok: true, text: country, clear: true };
      const meant = meantCountry(country);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return wrong('not_a_country', `must be a country as ISO 3166 alpha-2, such as BR${hint}`);
    }
    case 'address':
      if (isIP(text) !== 0) return { ok: true, text: clientNetworkOf(text), clear: false };
      return wrong('not_an_address', 'must be an IP address such as 203.0.113.9');
    case 'account': {
      const rows = await query(records, 'SELECT id FROM account WHERE id = $1', text);
      const isOurs = rows.length > 0 && (accountId ?? text) === text;
      return isOurs ? { ok: true, text, clear: true } : NO_ACCOUNT;
    }
    case 'key': {
      const sql = 'SELECT id, account_id FROM api_key WHERE id = $1 OR prefix = $1';
      const [key] = await query(records, sql, text);
      if (key === undefined || (accountId ?? key.account_id) !== key.account_id) return NO_KEY;
      return { ok: true, text: `${key.account_id}/${key.id}`, clear: true };
    }
  }
}

/** In clear, so none may be the number of a person. */
function readRange(text: string): RuleValue {
  const range = plainNumber(text);
  if (!RANGE.test(range)) {
    return wrong('wrong_format', 'must be the beginning of numbers: + and 3 to 12 digits, such as +99899394');
  }
  if (!parseAnyDestination(range).ok) return { ok: true, text: range, clear: true };
  return wrong('wrong_format', 'is a whole telephone number; make a rule of the number');
}

function wrong(code: FieldFault['code'], detail: string): RuleValue {
  return { ok: false, code, detail };
}
