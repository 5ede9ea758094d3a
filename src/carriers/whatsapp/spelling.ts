/**
 * WhatsApp keeps the number that an account was opened with, as it was spelled then. In two countries numbers have changed since:
 * mobile numbers of Mexico lost the 1 after the country's code, and those of Brazil gained a 9 before their eight digits. So what
 * people send back may come from a number that nobody can be sent a code to any more.
 */
const CHANGED: readonly (readonly [RegExp, string])[] = [
  [/^\+521(\d{10})$/, '+52$1'],
  // Landlines begin with 2 to 5, and have kept their eight digits.
  [/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2'],
];

/** The number as it is spelled today; undefined if that is no other. */
export function respell(number: string): string | undefined {
  const [changed, today] = CHANGED.find(([before]) => before.test(number)) ?? [];
  return changed && today && number.replace(changed, today);
}
