/** The pieces of the element. What they say is set later: it depends on the language and on what happens. */

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
  const country = make('select', { id: 'country', part: 'field country', autocomplete: 'country' });
  const number = make('input', {
    ...{ id: 'number', part: 'field number', type: 'tel', autocomplete: 'tel', dir: 'ltr' },
    'aria-describedby': 'number-error',
  });
  const code = make('input', {
    ...{ id: 'code', part: 'field code', type: 'text', autocomplete: 'one-time-code', dir: 'ltr' },
    ...{ spellcheck: 'false', autocapitalize: 'characters', 'aria-describedby': 'code-error' },
  });
  const countryLabel = make('label', { for: 'country', part: 'label' });
  const numberLabel = make('label', { for: 'number', part: 'label' });
  const codeLabel = make('label', { for: 'code', part: 'label' });
  const numberError = make('p', { id: 'number-error', part: 'error', role: 'alert' });
  const codeError = make('p', { id: 'code-error', part: 'error', role: 'alert' });
  const numberWait = make('p', { id: 'number-wait', part: 'wait' });
  const codeWait = make('p', { id: 'code-wait', part: 'wait' });
  const send = make('button', { type: 'submit', part: 'button send', 'aria-describedby': 'number-wait' });
  const confirm = make('button', { type: 'submit', part: 'button confirm' });
  const secondary = (part: string, wait: Attributes) =>
    make('button', { type: 'button', part: `button secondary ${part}`, ...wait });
  const sendOther = secondary('other', { 'aria-describedby': 'number-wait' });
  const again = secondary('again', { 'aria-describedby': 'code-wait' });
  const againOther = secondary('other', { 'aria-describedby': 'code-wait' });
  const change = secondary('change', {});
  const sent = make('p', { part: 'sent' });
  const done = make('p', { part: 'done', tabindex: '-1' });
  const numberStep = make(
    'form',
    { part: 'step', novalidate: '' },
    ...[countryLabel, country, numberLabel, number, numberError, numberWait, send, sendOther],
  );
  const codeStep = make(
    'form',
    { part: 'step', novalidate: '' },
    ...[sent, codeLabel, code, codeError, confirm, codeWait, again, againOther, change],
  );
  /** For those who do not see the page; others see what it says. */
  const status = make('p', { role: 'status' });
  const root = make('div', { part: 'root' }, numberStep, codeStep, done, status);
  return {
    ...{ root, numberStep, codeStep, country, number, code, countryLabel, numberLabel, codeLabel },
    ...{ numberError, codeError, numberWait, codeWait, send, sendOther, confirm, again, againOther },
    ...{ change, sent, done, status },
  };
}

/** The options of the countries, by name in a language: `Austria (+43)`. */
export function countryOptions(callingCodes: ReadonlyMap<string, string>, tag: string): HTMLOptionElement[] {
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  const { compare } = new Intl.Collator(tag);
  return Array.from(callingCodes, ([country, callingCode]) => {
    const option = make('option', { value: country });
    // The calling code reads from left to right in every script.
    option.textContent = `${names.of(country) ?? country} (\u2066+${callingCode}\u2069)`;
    return option;
  }).sort((one, other) => compare(one.text, other.text));
}
