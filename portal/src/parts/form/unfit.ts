/** What the attributes of controls ask for and what was typed is not. The browser would say one of it in a bubble; here are our words. */
import type { WrongField } from '../../api/problem.ts';
import { type Control, fieldsAt, isUnfit } from './controls.ts';
import type { Faults } from './faults.ts';

export function findUnfit(form: HTMLFormElement): Faults {
  const unfit = new Map<string, WrongField>();
  for (const control of form.elements) {
    if (!isUnfit(control)) continue;
    const [field = ''] = fieldsAt(control);
    if (!unfit.has(field)) unfit.set(field, describe(control));
  }
  return unfit;
}

function describe(control: Control): WrongField {
  if (control.validity.valueMissing) return { code: 'missing', detail: 'is required' };
  return control instanceof HTMLInputElement
    ? describeInput(control)
    : { code: 'wrong_format', detail: 'is invalid' };
}

/** Where there is a pattern, the title says what it asks for. */
function describeInput({ validity, type, minLength, min, max, title }: HTMLInputElement): WrongField {
  if (validity.badInput) {
    return {
      code: 'wrong_type',
      detail: type === 'number' ? 'must be a number' : 'must be a date and a time',
    };
  }
  if (validity.tooShort) return { code: 'too_short', detail: `must be at least ${minLength} characters` };
  if (validity.rangeUnderflow) return { code: 'too_small', detail: rangeWords(min, max) };
  if (validity.rangeOverflow) return { code: 'too_large', detail: rangeWords(min, max) };
  if (validity.stepMismatch) return { code: 'wrong_type', detail: 'must be a whole number' };
  return { code: 'wrong_format', detail: `must be ${TYPED[type] ?? title}` };
}

const TYPED: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'an address such as https://example.com',
};

function rangeWords(min: string, max: string): string {
  if (min !== '' && max !== '') return `must be from ${min} to ${max}`;
  return min === '' ? `must be at most ${max}` : `must be at least ${min}`;
}
