/** What a form says of what it does not take, and lists of rows: pasted, by keyboard, and heard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Key } from '../../src/portal/keys/contract.ts';
import { read } from '../portal/rig.ts';
import { attention, paste } from './rig/forms.ts';
import { look, WIDE } from './rig/look.ts';
import { accountOf, addAccount, makeKey, openWindow, settle, startStage, untilCount } from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();
const account = await accountOf(owner);
const PASTED = ' 192.0.2.0/24\r\n198.51.100.7, nobody;2001:db8::/32 ';
const WHAT_IS_EXPECTED = 'must be an IP address or a network such as 192.0.2.0/24';

const isFocused = (page: Page, selector: string) =>
  page.locator(`${selector}:focus`).waitFor({ timeout: 5_000 });

/** The service refuses what is typed there. */
const WINDOW = { as: owner, provokes: [400], reducedMotion: 'reduce', viewport: WIDE } as const;

async function createKey(page: Page): Promise<void> {
  await page.goto(stage.address(`${account}/keys`));
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('dialog').waitFor();
}

test('a list of addresses pasted into one row becomes several, and the wrong one is told at its row', async (t) => {
  const page = await openWindow(t, stage, WINDOW);
  await createKey(page);
  const dialog = page.getByRole('dialog');
  const rows = dialog.getByRole('group', { name: 'Source addresses', exact: true }).getByRole('textbox');
  await page.locator('input[name=name]').fill('Office');
  await dialog.getByRole('button', { name: 'Add an address' }).click();
  await isFocused(page, '[name="restrictions.sources.0"]');
  await paste(page, PASTED);
  await untilCount(rows, 4);
  await isFocused(page, '[name="restrictions.sources.3"]');
  await dialog.getByRole('button', { name: 'Create the key' }).click();

  const third = dialog.getByRole('group', { name: 'Source addresses, row 3' });
  await third.getByText(WHAT_IS_EXPECTED).waitFor();
  await untilCount(dialog.getByText(WHAT_IS_EXPECTED), 1);
  await isFocused(page, '[name="restrictions.sources.2"][aria-invalid=true]');
  const described = `document.getElementById(document.activeElement.getAttribute('aria-describedby'))?.textContent`;
  assert.equal(await page.evaluate(described), WHAT_IS_EXPECTED);
  await look(page);
  await page.setViewportSize(WIDE);
  await dialog.getByRole('button', { name: 'Remove Source addresses, row 3' }).click();
  await untilCount(attention(page), 0);
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  await dialog.getByText('Copy it now').waitFor();
  const keys = read<Key[]>(await owner.get(`/portal/api${account}/keys`));
  assert.deepEqual(keys.find(({ name }) => name === 'Office')?.restrictions.sources, [
    '192.0.2.0/24',
    '198.51.100.7',
    '2001:db8::/32',
  ]);
});

test('one line beside the button names the fields that need attention, is heard once, and goes as they are corrected', async (t) => {
  const page = await openWindow(t, stage, WINDOW);
  await createKey(page);
  const dialog = page.getByRole('dialog');
  await page.evaluate(
    `globalThis.heard = [];
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const around = (target.closest ? target : target.parentElement).closest('[role=alert]');
        const added = [...addedNodes].flatMap((node) => [node, ...node.querySelectorAll?.('*') ?? []]);
        for (const alert of [around, ...added.filter((node) => node.role === 'alert')]) {
          if (alert) globalThis.heard.push(alert.textContent);
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })`,
  );
  await page.locator('input[name=name]').fill('Late');
  await page.locator('input[name=expires_at]').fill('2020-01-02T03:04');
  await dialog.getByRole('button', { name: 'Add an address' }).click();
  await page.keyboard.type('nowhere');
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  const line = attention(page);
  await line.getByText('2 fields need attention: Expires, Source addresses, row 1').waitFor();
  await untilCount(dialog.getByText('Please check your entries'), 0);
  await isFocused(page, '[name=expires_at][aria-invalid=true]');
  await line.getByRole('button', { name: 'Source addresses, row 1' }).press('Enter');
  await isFocused(page, '[name="restrictions.sources.0"]');

  await page.keyboard.press('Backspace');
  await line.getByText('1 field needs attention: Expires').waitFor();
  await untilCount(dialog.getByText(WHAT_IS_EXPECTED), 0);
  await page.locator('input[name=expires_at]').fill('2099-01-02T03:04');
  await untilCount(line, 0);
  await untilCount(dialog.locator('[aria-invalid=true]'), 0);
  assert.deepEqual(await page.evaluate('globalThis.heard'), [
    '2 fields need attention: Expires, Source addresses, row 1.',
  ]);
});

test('addresses are typed, corrected and removed by keyboard alone', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: [400] });
  await createKey(page);
  const dialog = page.getByRole('dialog');
  const { keyboard } = page;
  await keyboard.type('Typed');
  await dialog.getByRole('button', { name: 'Add an address' }).focus();
  await keyboard.press('Enter');
  for (const address of ['192.0.2.1', 'wrong', '192.0.2.3']) {
    await keyboard.type(address);
    await keyboard.press('Enter');
  }
  const rows = dialog.getByRole('group', { name: 'Source addresses', exact: true }).getByRole('textbox');
  await untilCount(rows, 4);
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await untilCount(rows, 3);
  await isFocused(page, 'button:has-text("Add an address")');
  await dialog.getByRole('button', { name: 'Create the key' }).press('Enter');
  await isFocused(page, '[name="restrictions.sources.1"]');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await untilCount(rows, 2);
  await isFocused(page, '[name="restrictions.sources.1"]');
  await untilCount(attention(page), 0);
  await dialog.getByRole('button', { name: 'Create the key' }).press('Enter');
  await dialog.getByText('Copy it now').waitFor();
});

test('what is wrong with a row stays with it when those above become more, and so do the links beside the button', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: [400] });
  await createKey(page);
  const dialog = page.getByRole('dialog');
  const faulty = dialog.locator('[name^="restrictions.sources"][aria-invalid=true]');
  const valuesOf = async () => Promise.all((await faulty.all()).map((each) => each.inputValue()));
  await page.keyboard.type('Moved');
  await dialog.getByRole('button', { name: 'Add an address' }).click();
  await paste(page, '192.0.2.1, bad1, 192.0.2.3, bad2, 192.0.2.5');
  await dialog.getByRole('button', { name: 'Create the key' }).click();
  await untilCount(faulty, 2);
  await isFocused(page, '[name="restrictions.sources.1"]');
  await page.locator('[name="restrictions.sources.0"]').press('Enter');
  await isFocused(page, '[name="restrictions.sources.1"]:not([aria-invalid])');
  assert.deepEqual(await valuesOf(), ['bad1', 'bad2']);
  await page.locator('[name="restrictions.sources.2"]').press('ControlOrMeta+A');
  await paste(page, '10.0.0.1, 10.0.0.2');
  await untilCount(faulty, 1);
  assert.deepEqual(await valuesOf(), ['bad2']);
  await attention(page).getByText('1 field needs attention: Source addresses, row 6').waitFor();
  await attention(page).getByRole('button', { name: 'Source addresses, row 6' }).click();
  await isFocused(page, '[name="restrictions.sources.5"][aria-invalid=true]');
});

test('a list has no more rows than it may, and says how many were not added', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  await createKey(page);
  const dialog = page.getByRole('dialog');
  const rows = dialog.getByRole('group', { name: 'Source addresses', exact: true }).getByRole('textbox');
  await dialog.getByRole('button', { name: 'Add an address' }).click();
  await paste(page, '192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5');
  await untilCount(rows, 5);
  await page.keyboard.press('ControlOrMeta+A');
  await paste(page, Array.from({ length: 150 }, (_, index) => ` 10.0.0.${index}`).join());
  await untilCount(rows, 50);
  await dialog.getByRole('status').getByText('50 at most; 104 were not added.').waitFor();
  await rows.last().press('Enter');
  await dialog.getByRole('status').getByText('50 at most; 1 was not added.').waitFor();
  await dialog.getByRole('button', { name: 'Remove Source addresses, row 50' }).click();
  await untilCount(rows, 49);
  await untilCount(dialog.getByText('50 at most'), 0);
});

test('a country is the one that was typed, and not one whose name begins as its does', async (t) => {
  const page = await openWindow(t, stage, { as: owner });
  await createKey(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Countries' }).focus();
  await page.keyboard.type('Nigeria, Niger, Guinea-Bissau');
  const chosen = dialog.getByRole('list', { name: 'Chosen countries' }).getByRole('listitem');
  await untilCount(chosen, 3);
  await page.keyboard.type('Dominica');
  await page.keyboard.press('Enter');
  await untilCount(chosen, 4);
  // What a browser reports when somebody chooses from its list.
  await page.evaluate(
    `((field) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'Guinea');
      field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
    })(document.activeElement)`,
  );
  await untilCount(chosen, 5);
  assert.deepEqual(await chosen.allInnerTexts(), ['Dominica', 'Guinea', 'Guinea-Bissau', 'Niger', 'Nigeria']);
});

test('a value that was refused is judged again as another kind of value', async (t) => {
  const page = await openWindow(t, stage, { as: owner, provokes: [400] });
  await page.goto(stage.address(`${account}/guard`));
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Numbers that begin with').fill('abc');
  await dialog.getByLabel('Reason').fill('Tried');
  await dialog.getByRole('button', { name: 'Add the rule' }).click();
  await attention(page).getByText('1 field needs attention: Numbers that begin with').waitFor();
  await dialog.getByLabel('With what').selectOption('number');
  await untilCount(attention(page), 0);
  await untilCount(dialog.locator('[aria-invalid=true]'), 0);
});

test('a limit that has no effect is told at its row, and undoing takes it back', async (t) => {
  const made = await addAccount(owner, 'Limited');
  const page = await openWindow(t, stage, WINDOW);
  await page.goto(stage.address(`${made}/settings`));
  const limits = page.getByRole('group', { name: 'Codes to one number', exact: true });
  for (const most of ['2', '50']) {
    await limits.getByRole('button', { name: 'Add a limit' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(most);
    await page.keyboard.press('Tab');
    await page.keyboard.type('10');
    await page.keyboard.press('Tab');
    await page.keyboard.press('m');
  }
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  const second = limits.getByRole('group', { name: 'Codes to one number, row 2' });
  await second
    .getByText('50 in 10 minutes would have no effect, because 5 in 10 minutes holds already.')
    .waitFor();
  await attention(page).getByText('1 field needs attention: Codes to one number, row 2: at most').waitFor();
  await look(page);
  await page.setViewportSize(WIDE);
  // The period is a part of what is wrong.
  await second.getByLabel('length of the period').fill('9');
  await untilCount(attention(page), 0);
  await second.getByLabel('length of the period').fill('10');
  await save.click();
  await attention(page).waitFor();
  await page.getByRole('button', { name: 'Undo changes' }).click();
  await untilCount(attention(page), 0);
  await untilCount(limits.getByLabel('at most'), 0);

  for (let row = 0; row < 2; row += 1) await limits.getByRole('button', { name: 'Add a limit' }).click();
  const budgets = page.getByRole('group', { name: 'Budgets', exact: true });
  await budgets.getByRole('button', { name: 'Add a budget' }).click();
  await budgets.getByLabel('what it counts').selectOption('messages');
  await budgets.getByLabel('amount').fill('0.5');
  await save.click();
  await second.getByText('is there already, and would have no effect a second time').waitFor();
  await budgets.getByText('The number of messages must be a whole number above zero.').waitFor();
});

/** The words of labels, columns and choices; an identifier may stand dim beside them. */
const NAMED = `(() => {
  const first = (element) => [...element.childNodes].find((node) => node.textContent.trim() !== '');
  return [...document.querySelectorAll('main :is(label, legend, thead th, option, tbody th), dialog :is(label, legend, option)')]
    .flatMap((element) => {
      const found = document.createTreeWalker(first(element) ?? element, NodeFilter.SHOW_TEXT).nextNode() ?? first(element);
      return found === undefined ? [] : found.textContent.trim();
    });
})()`;
const IDENTIFIER = /^[a-z]+([A-Z][a-z]+|[_.][a-z]+)+$|^(sms|voice|smpp|http|carriers)$/;

test('labels, columns and choices are words', async (t) => {
  await owner.post(`/portal/api${account}/webhooks`, {
    url: 'https://example.com/hook',
    types: ['delivery.failed'],
  });
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE, reducedMotion: 'reduce' });
  const judge = async (path: string) => {
    const named = await page.evaluate<string[]>(NAMED);
    assert.ok(named.length > 0, path);
    assert.deepEqual(
      named.filter((name) => IDENTIFIER.test(name)),
      [],
      path,
    );
  };
  for (const path of ['verifications', 'guard?view=try', 'alerts', 'settings']) {
    await page.goto(stage.address(`${account}/${path}`));
    await settle(page);
    await judge(path);
  }
  await page.goto(stage.address(`${account}/carriers`));
  await page.getByRole('button', { name: 'Add a carrier or a route' }).click();
  const type = page.getByLabel('What to add');
  await type.waitFor();
  for (const value of await type
    .locator('option')
    .evaluateAll((all) => all.map((each) => each.getAttribute('value') ?? ''))) {
    await type.selectOption(value);
    await judge(`the form for ${value}`);
  }
  await page.goto(stage.address(`${account}/webhooks`));
  await page.getByText('Failed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  await page.getByRole('checkbox', { name: 'Locked' }).waitFor();
  await judge('the events of an endpoint');
});

test('countries are chosen and listed by name', async (t) => {
  await makeKey(owner, account, 'Abroad', true, ['DE', 'AT', 'CH']);
  const page = await openWindow(t, stage, { as: owner, viewport: WIDE });
  await page.goto(stage.address(`${account}/verifications`));
  const country = page.getByLabel('Country', { exact: true });
  await country.selectOption({ label: 'Germany' });
  await page.getByText('Country: Germany').waitFor();
  assert.match(page.url(), /country=DE/);
  const offered = (await country.locator('option').allInnerTexts()).slice(1);
  assert.deepEqual(
    offered,
    offered.toSorted((a, b) => a.localeCompare(b, 'en')),
  );

  await page.goto(stage.address(`${account}/keys`));
  await page.getByRole('button', { name: 'Abroad', exact: true }).click();
  await page.getByRole('dialog').getByText('Austria, Germany, Switzerland').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('list', { name: 'Chosen countries' }).waitFor();
  assert.deepEqual(
    (await page.getByRole('listitem').allInnerTexts()).filter((text) =>
      /Austria|Germany|Switzerland/.test(text),
    ),
    ['Austria', 'Germany', 'Switzerland'],
  );
});

test('what the browser would say in a bubble is said at the field and in the line, and nothing is sent', async (t) => {
  const made = await addAccount(owner, 'Bubbles');
  const page = await openWindow(t, stage, { as: owner, reducedMotion: 'reduce', viewport: WIDE });
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'GET' || sent.push(request.url()));
  const dialog = page.getByRole('dialog');
  const open = async (path: string, button: string) => {
    await page.goto(stage.address(`${made}/${path}`));
    await page.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor();
  };
  const send = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const told = async (field: string, words: string) => {
    const input = page.locator(`[name="${field}"][aria-invalid=true]`);
    await isFocused(page, `[name="${field}"]`);
    const described = (await input.getAttribute('aria-describedby'))?.match(/\S+/g) ?? [];
    const texts = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).innerText()));
    assert.ok(texts.includes(words), `${texts}`);
  };

  await open('keys', 'Create a key');
  await dialog.getByRole('button', { name: 'Add an address' }).click();
  await send('Create the key');
  await attention(page).getByText('2 fields need attention: Name, Source addresses, row 1').waitFor();
  await told('name', 'is required');
  await dialog.getByText('is required').nth(1).waitFor();
  await look(page);
  await page.setViewportSize(WIDE);
  await page.keyboard.type('N');
  await attention(page).getByText('1 field needs attention: Source addresses, row 1').waitFor();

  await open('people', 'Invite');
  await page.locator('input[name=email]').fill('somebody');
  await send('Create the link');
  await told('email', 'must be an email address');

  await open('webhooks', 'Add an endpoint');
  await page.locator('input[name=url]').fill('nowhere');
  await send('Add the endpoint');
  await told('url', 'must be an address such as https://example.com');

  await page.goto(stage.address('/me'));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.locator('input[name=code]').fill('12345');
  sent.length = 0;
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await told('code', 'must be six digits');
  assert.deepEqual(sent, []);

  await page.goto(stage.address(`${made}/settings`));
  const length = page.locator('input[name=code_length]');
  for (const [typed, words] of [
    ['3', 'must be from 4 to 10'],
    ['5.5', 'must be a whole number'],
    ['e', 'must be a number'],
  ] as const) {
    await length.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(typed);
    await send('Save');
    await told('code_length', words);
  }
  await length.fill('');
  const limits = page.getByRole('group', { name: 'Codes to one number', exact: true });
  await limits.getByRole('button', { name: 'Add a limit' }).click();
  await limits.getByLabel('length of the period').fill('');
  await send('Save');
  await limits.getByText('is required').waitFor();
  await isFocused(page, '[aria-label="Codes to one number, row 1: length of the period"]');
  await limits.getByLabel('length of the period').fill('1');
  await untilCount(attention(page), 0);
  assert.deepEqual(sent, []);
});
