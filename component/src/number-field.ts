/** The field of the number: what is entered is written as the country writes it, and may choose the country. */
import { countryOf, inGroups, withoutCallingCode } from './countries.ts';

/** Pasted or filled in: it came as a whole, and nobody types on at its end. */
const isWhole = (event: Event): boolean =>
  event instanceof InputEvent
    ? /^insertFrom|^insertReplacement/.test(event.inputType)
    : !(event instanceof CompositionEvent);

/** Tidies the field after an event, and returns its country: the one of the calling code, or else the current one. */
export function takeNumber(
  field: HTMLInputElement,
  event: Event,
  current: string,
  offered: readonly string[],
): string {
  const typed = field.value;
  const country = countryOf(typed, current, offered);
  const isDeletion = event instanceof InputEvent && event.inputType.startsWith('delete');
  // A bracket that comes back could not be deleted.
  if (isDeletion || (event instanceof InputEvent && event.isComposing)) return country ?? current;
  // The calling code stands before the field.
  const own = country !== undefined && isWhole(event) ? withoutCallingCode(typed) : typed;
  write(field, inGroups(own, country ?? current));
  return country ?? current;
}

/** With the caret behind the same digit as before, seen from the end: what was cut off stood at the beginning. */
function write(field: HTMLInputElement, text: string): void {
  if (field.value === text) return;
  const after = countDigits(field.value.slice(field.selectionEnd ?? field.value.length));
  field.value = text;
  let caret = text.length;
  for (let left = after; left > 0 && caret > 0; ) if (/\d/.test(text.charAt(--caret))) left--;
  if (field.matches(':focus')) field.setSelectionRange(caret, caret);
}

const countDigits = (text: string) => text.replace(/\D/g, '').length;
