/** Finds what people can type into on a page, dialogs included, types there, and reads it back. */
import type { Locator, Page } from 'playwright-core';
import { settle } from './stage.ts';

export const DIALOG = 'dialog[open]';

/** Buttons that may open something: not those of a form, which send it. Of a row it is told that they are. */
const BUTTONS = `[...document.querySelectorAll('main button')]
  .filter((button) => button.checkVisibility() && !button.disabled && button.closest('form') === null)
  .map((button) => ({
    name: (button.getAttribute('aria-label') ?? button.textContent).trim(),
    ofRow: button.closest('tr, li') !== null,
  }))`;

interface Found {
  readonly name: string;
  readonly ofRow: boolean;
}

/** What is pressed one after the other: a button, or one that opens a menu and what is chosen there. */
export interface Way {
  /** Of a row it is the first word: the rest is the row's own name, which whoever fills in the dialog may change. */
  readonly button: string;
  readonly ofRow: boolean;
  readonly item?: string;
}

export const describeWay = ({ button, item }: Way): string =>
  item === undefined ? button : `${button} ${item}`;

/** The ways to a dialog with something to fill in. They are tried to find out; of equal rows only the first. */
export async function findDialogs(page: Page, open: () => Promise<unknown>): Promise<Way[]> {
  await open();
  const found: Way[] = [];
  const pressed = new Set<string>();
  for (const { name, ofRow } of await page.evaluate<Found[]>(BUTTONS)) {
    const button = ofRow ? (name.split(/[\s:]/, 1)[0] ?? '') : name;
    if (button === '' || pressed.has(button)) continue;
    pressed.add(button);
    const first = { button, ofRow };
    if ((await buttonOf(page, first).count()) === 0) continue;
    const ways = await waysFrom(page, first);
    for (const way of ways) {
      const address = page.url();
      await press(page, way);
      await settle(page);
      const fields = page.locator(`${DIALOG} :is(input, textarea, select)`);
      if ((await fields.count()) > 0) found.push(way);
      await page.keyboard.press('Escape');
      if ((await page.locator(DIALOG).count()) > 0 || page.url() !== address) await open();
    }
  }
  return found;
}

/** A menu has several. */
async function waysFrom(page: Page, way: Way): Promise<Way[]> {
  const button = buttonOf(page, way);
  if ((await button.getAttribute('aria-haspopup')) !== 'menu') return [way];
  await button.click();
  const items = await page.getByRole('menuitem').allInnerTexts();
  await page.keyboard.press('Escape');
  return items.map((item) => ({ ...way, item }));
}

export async function press(page: Page, way: Way): Promise<void> {
  await buttonOf(page, way).click();
  if (way.item !== undefined) await page.getByRole('menuitem', { name: way.item, exact: true }).click();
}

/** Of equal rows only the first. */
function buttonOf(page: Page, { button, ofRow }: Way): Locator {
  const main = page.locator('main');
  if (!ofRow) return main.getByRole('button', { name: button, exact: true }).first();
  return main
    .locator('tr, li')
    .getByRole('button', { name: new RegExp(String.raw`^${button.replace(/\W/g, '.')}(?![^\s:])`) })
    .first();
}

/** Where somebody types: on the page, or in the dialog over it. */
export type Scope = 'main' | typeof DIALOG;

const FIELDS = 'input:not([type=checkbox], [type=radio], [type=hidden]), textarea';

/** What a browser accepts in a field of each type. */
const TYPED: Readonly<Record<string, string>> = {
  email: 'typed@example.com',
  url: 'https://typed.invalid/hook',
  number: '7',
  'datetime-local': '2030-01-02T03:04',
  date: '2030-01-02',
  password: 'typed-by-somebody',
};

export async function typeEverywhere(page: Page, scope: Scope): Promise<void> {
  for (const field of await page.locator(scope).locator(FIELDS).all()) {
    if (!(await field.isVisible()) || !(await field.isEditable())) continue;
    const type = (await field.getAttribute('type')) ?? 'text';
    await field.fill(TYPED[type] ?? 'typed 7');
  }
}

/** What stands in each field that takes a text. */
export const readFields = (page: Page, scope: Scope): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelector('${scope}')?.querySelectorAll('${FIELDS}') ?? []].map((field) => field.value)`,
  );

/** Somebody comes back to the window, which asks again for what is old. A locator waits for a page that is just being loaded. */
export const comeBack = (page: Page): Promise<unknown> =>
  page.locator('html').dispatchEvent('visibilitychange');

/** Sends each form as far as it lets itself be sent, and comes back to the window. Returns how many forms the browser let go. */
export async function act(page: Page, scope: Scope): Promise<number> {
  const stray = scope === 'main' && (await page.locator(DIALOG).count()) > 0;
  if (stray) await page.keyboard.press('Escape');
  const whole = page.locator(scope).locator('form:valid button[type=submit]:not(:disabled)');
  const sent = await whole.count();
  for (const button of await whole.all()) {
    // The form before may have opened a question, or have gone.
    await button.click({ timeout: 5_000 }).catch(() => {});
  }
  await comeBack(page);
  return sent;
}

/** The line beside the button of a form. */
export const attention = (page: Page): Locator =>
  page.getByRole('group', { name: 'Fields that need attention' });

/** As somebody pastes from a document, line breaks included. */
export const paste = (page: Page, text: string): Promise<unknown> =>
  page.evaluate(
    `((data) => {
      data.setData('text', ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })(new DataTransfer())`,
  );
