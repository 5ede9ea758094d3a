/** Whether a secret can be guessed. A cheap estimate, made to find what people type, and never to doubt what was drawn. */
import type { ConfigProblem } from './problem.ts';

const LEAST_LENGTH = 32;
/** Of 32 hexadecimal digits drawn at random one in a thousand million has fewer; of other alphabets, still less. */
const LEAST_DISTINCT = 8;

/** What stands in examples until somebody writes a secret there. */
const PLACEHOLDER =
  /change[-_ ]?(me|it|this|in)|replace[-_ ]?(me|it|this|with)|place[-_ ]?holder|your[-_ ]?(own[-_ ]?)?(secret|random)|random[-_ ]characters|example|insecure|<[^>]*>/i;

export const EXPECTED = 'at least 32 random characters, as `openssl rand -hex 32` prints';

/** What is wrong with a secret, without saying what it is; undefined when nothing is. */
export function findWeakness(secret: string): Pick<ConfigProblem, 'wrong' | 'expected'> | undefined {
  const wrong = describeWeakness(secret);
  return wrong === undefined ? undefined : { wrong, expected: EXPECTED };
}

function describeWeakness(secret: string): string | undefined {
  if (secret.length < LEAST_LENGTH) return `has ${secret.length} characters`;
  if (PLACEHOLDER.test(secret)) return 'is a placeholder, which anybody can guess';
  if (new Set(secret).size < LEAST_DISTINCT) return 'is made of too few different characters';
  if (repeatsItself(secret)) return 'repeats itself';
  if (isSequence(secret)) return 'is a sequence of characters that follow each other';
  return undefined;
}

/** Whether all of it is one shorter text, again and again: then it stands, moved by that, upon itself. */
function repeatsItself(secret: string): boolean {
  const half = Math.floor(secret.length / 2);
  for (let period = 1; period <= half; period++) {
    if (secret.startsWith(secret.slice(period))) return true;
  }
  return false;
}

/** Whether more than half of the steps from a character to the next are one and the same, as in `abcdef` and `9876`. */
function isSequence(secret: string): boolean {
  const steps = new Map<number, number>();
  for (let at = 1; at < secret.length; at++) {
    const step = secret.charCodeAt(at) - secret.charCodeAt(at - 1);
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return Math.max(...steps.values()) > (secret.length - 1) / 2;
}
