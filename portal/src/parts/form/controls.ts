/** Finds the controls of a form by the names of its fields. */

/** A field that needs attention. */
export interface FaultyField {
  readonly name: string;
  /** As people read it. */
  readonly label: string;
}

const CONTROLS = 'input:not([type=hidden]), select, textarea, button';

/** Of the fields with these names, those that the form has, in its order. */
export function findFields(form: HTMLFormElement, names: { has(name: string): boolean }): FaultyField[] {
  const all = [...form.elements].map((element) => element.getAttribute('name') ?? '');
  return [...new Set(all)].flatMap((name) => {
    const field = names.has(name) ? findField(form, name) : undefined;
    return field === undefined ? [] : [{ name, label: field.label }];
  });
}

export const hasField = (form: HTMLFormElement, name: string): boolean => findField(form, name) !== undefined;

/** The names of the fields that a change at this control may correct: one without a name belongs to the group around it. */
export function fieldsAt(control: Element): string[] {
  const name = control.getAttribute('name');
  if (name !== null) return [name];
  const named = groupAround(control)?.querySelectorAll('[name]') ?? [];
  return [...named].flatMap((each) => each.getAttribute('name') ?? []);
}

/** Lets people see a field, also in a part that is folded, and begin there; of several controls, at the one that the browser knows is wrong. */
export function goTo(form: HTMLFormElement, name: string): void {
  const wrong = [...form.elements].find((element) => isUnfit(element) && fieldsAt(element)[0] === name);
  const control = wrong instanceof HTMLElement ? wrong : findField(form, name)?.control;
  if (control === undefined) return;
  const folded = control.closest('details');
  if (folded !== null) folded.open = true;
  control.focus();
}

/** A field is one control, or a group of them around a hidden one, or around several with its name. */
function findField(
  form: HTMLFormElement,
  name: string,
): { readonly label: string; readonly control: HTMLElement } | undefined {
  const found = form.elements.namedItem(name);
  const [first] = found instanceof RadioNodeList ? found : [found];
  if (!(first instanceof HTMLElement)) return undefined;
  const isOne = found === first && first.getAttribute('type') !== 'hidden';
  if (isOne) return { label: labelOf(first), control: first };
  const group = groupAround(first);
  const control = group?.querySelector<HTMLElement>(CONTROLS) ?? undefined;
  return group === null || control === undefined ? undefined : { label: labelOf(group), control };
}

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Whether what was typed there is not what its attributes ask for. */
export const isUnfit = (element: Element): element is Control =>
  (element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement) &&
  element.willValidate &&
  !element.validity.valid;

const groupAround = (element: Element): Element | null => element.closest('fieldset, [role=group]');

function labelOf(element: Element): string {
  const own = element.getAttribute('aria-label');
  if (own !== null) return own;
  const label =
    element instanceof HTMLFieldSetElement
      ? element.querySelector('legend')
      : (labelsOf(element) ?? document.getElementById(element.getAttribute('aria-labelledby') ?? ''));
  // The words come first; what marks a required field, or an identifier, follows.
  return (label?.firstChild?.textContent ?? '').trim();
}

const labelsOf = (element: Element): Element | undefined =>
  'labels' in element && element.labels instanceof NodeList
    ? [...element.labels].find((each) => each instanceof Element)
    : undefined;
