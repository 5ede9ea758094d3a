/** The pieces of the element. What they say is set later: it depends on the language and on what happens. */
import { callingCodes } from './countries.ts';

type Attributes = Readonly<Record<string, string>>;

/** Without markup in text, which a page with Trusted Types would refuse. */
function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Node[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export type View = ReturnType<typeof createView>;

export function createView() {
  const country = make('select', { id: 'country', part: 'country', autocomplete: 'off' });
  const flag = make('span', { class: 'flag' });
  const callingCode = make('span', { dir: 'ltr' });
  /** What is seen of the select, which lies over it and shows its list. */
  const face = make('span', { part: 'calling-code', 'aria-hidden': 'true' }, flag, callingCode);
  const number = make('input', {
    ...{ id: 'number', part: 'number', type: 'tel', autocomplete: 'tel', dir: 'ltr' },
    'aria-describedby': 'number-error',
  });
  // Numbers read from left to right in every language.
  const chosen = make('span', { class: 'country' }, country, face);
  const phone = make('div', { part: 'field phone', dir: 'ltr' }, chosen, number);
  const code = make('input', {
    ...{ id: 'code', part: 'code', type: 'text', autocomplete: 'one-time-code', dir: 'ltr' },
    ...{ spellcheck: 'false', autocapitalize: 'characters', 'aria-describedby': 'code-error' },
  });
  const digits = make('div', { part: 'field digits', dir: 'ltr' }, code);
  const places = make('div', { class: 'places' }, digits);
  const numberLabel = make('label', { for: 'number', part: 'label' });
  const codeLabel = make('label', { for: 'code', part: 'label' });
  const numberError = make('p', { id: 'number-error', part: 'error' });
  const codeError = make('p', { id: 'code-error', part: 'error' });
  const numberWait = make('p', { id: 'number-wait', part: 'wait' });
  const send = make('button', { type: 'submit', part: 'button send', 'aria-describedby': 'number-wait' });
  const confirm = make('button', { type: 'submit', part: 'button confirm' });
  const secondary = (part: string, attributes: Attributes) =>
    make('button', { type: 'button', part: `button secondary ${part}`, ...attributes });
  const sendOther = secondary('other', { 'aria-describedby': 'number-wait' });
  /** In place of the button, until it can be pressed. */
  const codeWait = make('span', { id: 'code-wait', part: 'wait' });
  const again = secondary('again', {});
  const againOther = secondary('other', { 'aria-describedby': 'code-wait' });
  const change = secondary('change', { 'aria-describedby': 'destination' });
  const sent = make('span', { part: 'sent' });
  const sentLine = make('p', { class: 'line' }, sent, change);
  const links = make('div', { class: 'line' }, codeWait, again, againOther);
  const done = make('p', { part: 'done', tabindex: '-1' });
  const numberStep = make(
    'form',
    { part: 'step', novalidate: '' },
    ...[numberLabel, phone, numberError, numberWait, send, sendOther],
  );
  const codeStep = make(
    'form',
    { part: 'step', novalidate: '' },
    ...[sentLine, codeLabel, places, codeError, confirm, links],
  );
  /** The only thing that is read out by itself: what no field says that gets the focus. */
  const status = make('p', { role: 'status' });
  const root = make('div', { part: 'root' }, numberStep, codeStep, done, status);
  return {
    ...{ root, numberStep, codeStep, country, flag, callingCode, number, code, numberLabel, codeLabel },
    ...{ numberError, codeError, numberWait, codeWait, send, sendOther, confirm, again, againOther },
    ...{ change, sent, done, status },
    fields: { number: phone, code: digits },
  };
}

/** The options of these countries, by name in a language: `Austria (+43)`. */
export function countryOptions(countries: readonly string[], tag: string): HTMLOptionElement[] {
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  const { compare } = new Intl.Collator(tag);
  return countries
    .map((country) => {
      const option = make('option', { value: country });
      // The calling code reads from left to right in every script.
      option.textContent = `${names.of(country) ?? country} (\u2066+${callingCodes.get(country)}\u2069)`;
      return option;
    })
    .sort((one, other) => compare(one.text, other.text));
}
