/** Which passwords are accepted. Length counts most; those that are guessed first are refused (NIST SP 800-63B). */
import type { FieldFault } from '../../core/errors/field-error.ts';

const MIN = 12;
const MAX = 256;
/** The letters that digits and signs stand for. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn',
];
/** How many letters must be left after everything that is guessed first is removed. */
const SUBSTANCE = 4;

/** What is wrong with a password for the person with that address; undefined if nothing is. */
export function passwordFault(password: string, email: string): FieldFault | undefined {
  const normal = password.normalize('NFKC');
  if (normal.length < MIN) return { code: 'too_short', detail: `must be at least ${MIN} characters` };
  if (normal.length > MAX) return { code: 'too_long', detail: `must be at most ${MAX} characters` };
  const lower = normal.toLowerCase();
  const [local = ''] = email.toLowerCase().split('@');
  if (local.length >= 3 && lower.includes(local)) {
    return { code: 'easy_to_guess', detail: 'must not contain your email address' };
  }
  if (isCommon(lower)) {
    return { code: 'easy_to_guess', detail: 'is too easy to guess; use several words together' };
  }
  return undefined;
}

/**
 * Leaked passwords of this length are mostly common words and rows of keys, with digits and signs around them, or one
 * piece repeated. So these are removed, and something must be left.
 */
function isCommon(lower: string): boolean {
  if (new Set(lower).size < 5 || /^(.{1,6})\1+.{0,5}$/s.test(lower)) return true;
  const spelled = lower.replace(/[013457@$!]/g, (sign) => LOOK_ALIKES[sign] ?? sign);
  return [lower, spelled].some(
    (text) => strip(text).replace(/[^\p{L}]/gu, '').length < SUBSTANCE && countWords(text) < 3,
  );
}

/** Words in the passwords that are guessed first. */
const COMMON_WORDS: readonly string[] = `
password passwort passw passwd parola contrasena motdepasse senha wachtwoord haslo secret geheim private confidential
welcome willkommen bienvenue hello letmein login logon signin access open sesame please trustno changeme change default
admin administrator root superuser user guest test testing tester demo sample example temp temporary master server
system computer internet network security website company office business manager support service team staff
qwerty qwertz azerty asdf zxcv iloveyou loveyou love lover lovely forever always princess prince queen king angel
monkey dragon tiger lion eagle falcon panther horse puppy kitty kitten doggy snoopy bunny butterfly dolphin chicken
sunshine sunflower flower rainbow summer winter spring autumn january february march april june july august
september october november december monday tuesday wednesday thursday friday saturday sunday morning night
football baseball basketball soccer hockey tennis golf rugby liverpool arsenal chelsea barcelona juventus yankees
cowboys steelers lakers ferrari porsche mercedes mustang corvette harley yamaha
superman batman spiderman starwars pokemon naruto minecraft fortnite playstation nintendo matrix hunter killer
shadow ninja warrior wizard legend phantom phoenix thunder lightning diamond silver golden purple orange banana apple
cookie cheese chocolate coffee pepper ginger sugar honey candy whatever nothing something freedom liberty victory
family mother father brother sister daddy mommy baby babygirl friend friends money dollar million lucky blessed jesus
christ heaven america canada england france germany london paris berlin
michael michelle jessica jennifer charlie daniel thomas george william robert andrew joshua matthew anthony jordan
ashley amanda nicole hannah samantha elizabeth alexander alexandra christopher patrick maria martin robin taylor
countersign verification verify telephone phone mobile message code portal account
`
  .trim()
  .split(/\s+/);
const LONGEST_FIRST = [...COMMON_WORDS].sort((a, b) => b.length - a.length);

/** How many different common words a text contains: three make a phrase. */
function countWords(text: string): number {
  let left = text;
  let words = 0;
  for (const word of LONGEST_FIRST) {
    if (left.includes(word)) words++;
    left = left.replaceAll(word, ' ');
  }
  return words;
}

function strip(text: string): string {
  let left = text;
  for (const row of ROWS) {
    for (const keys of [row, [...row].reverse().join('')]) {
      for (let length = keys.length; length >= 4; length--) {
        for (let at = 0; at + length <= keys.length; at++)
          left = left.replaceAll(keys.slice(at, at + length), ' ');
      }
    }
  }
  for (const word of LONGEST_FIRST) left = left.replaceAll(word, ' ');
  return left;
}
