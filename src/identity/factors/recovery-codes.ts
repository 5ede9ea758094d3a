/** Ten codes for people who have lost their authenticator. Each works once. */
import { hashToken } from '../../accounts/token.ts';
import type { Records, Step } from '../../core/sql/records.ts';

const COUNT = 10;
/** Crockford's base 32: no letters that look alike, and 256 is a multiple of its length. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits: out of reach even for someone who has the hashes. */
const LENGTH = 16;

export interface NewRecoveryCodes {
  readonly codes: readonly string[];
  /** Replaces all earlier codes. */
  readonly steps: readonly Step[];
}

export function mintRecoveryCodes({ random }: Pick<Records, 'random'>, personId: string): NewRecoveryCodes {
  const codes = Array.from({ length: COUNT }, () =>
    [...random.bytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  );
  return {
    codes: codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')),
    steps: [
      dropRecoveryCodes(personId),
      ...codes.map((code) => ({
        sql: 'INSERT INTO recovery_code (person_id, hash) VALUES ($1, $2)',
        args: [personId, hashToken(code)],
      })),
    ],
  };
}

export function dropRecoveryCodes(personId: string): Step {
  return { sql: 'DELETE FROM recovery_code WHERE person_id = $1', args: [personId] };
}

/** Refused if the code is wrong or was used. */
export function useRecoveryCode(personId: string, code: string): Step {
  const plain = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return {
    sql: 'DELETE FROM recovery_code WHERE person_id = $1 AND hash = $2 RETURNING hash',
    args: [personId, hashToken(plain)],
    guard: true,
  };
}
