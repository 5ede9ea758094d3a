/** Whether a secret can be guessed. A cheap estimate that finds what people type and accepts everything random. */
import type { ConfigProblem } from '../problem.ts';

const LEAST_LENGTH = 32;
/** One in a billion random strings of 32 hexadecimal digits has fewer; with other alphabets, even fewer. */
const LEAST_DISTINCT = 8;

/** Placeholders from examples. */
const PLACEHOLDER =
  /change[-_ ]?(me|it|this|in)|replace[-_ ]?(me|it|this|with)|place[-_ ]?holder|your[-_ ]?(own[-_ ]?)?(secret|random)|random[-_ ]characters|example|insecure|<[^>]*>/i;

export const EXPECTED = 'at least 32 random characters, such as from `openssl rand -hex 32`';

/** What is wrong with a secret, without revealing it; undefined if nothing is. */
export function findWeakness(secret: string): Pick<ConfigProblem, 'wrong' | 'expected'> | undefined {
  const wrong = describeWeakness(secret);
  return wrong === undefined ? undefined : { wrong, expected: EXPECTED };
}

function describeWeakness(secret: string): string | undefined {
  if (secret.length < LEAST_LENGTH) return `has ${secret.length} characters`;
  return describePattern(secret);
}

/** What about a text of sufficient length is not random; undefined if nothing is. */
export function describePattern(secret: string): string | undefined {
  if (PLACEHOLDER.test(secret)) return 'is a placeholder that anyone can guess';
  if (new Set(secret).size < LEAST_DISTINCT) return 'has too few different characters';
  if (repeatsItself(secret)) return 'repeats itself';
  if (isSequence(secret)) return 'is a sequence of consecutive characters';
  return undefined;
}

/**
 * Whether most of it is a shorter text repeated, perhaps with something around it: then, shifted by that length, two thirds
 * or more of it match. Of random hexadecimal digits, one in a billion texts of 32 does.
 */
function repeatsItself(secret: string): boolean {
  const half = Math.floor(secret.length / 2);
  for (let period = 1; period <= half; period++) {
    let matches = 0;
    for (let at = period; at < secret.length; at++) if (secret[at] === secret[at - period]) matches++;
    if (matches * 3 >= (secret.length - period) * 2) return true;
  }
  return false;
}

/** Whether more than half of the steps from one character to the next are equal, as in `abcdef` and `9876`. */
function isSequence(secret: string): boolean {
  const steps = new Map<number, number>();
  for (let at = 1; at < secret.length; at++) {
    const step = secret.charCodeAt(at) - secret.charCodeAt(at - 1);
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return Math.max(...steps.values()) > (secret.length - 1) / 2;
}
