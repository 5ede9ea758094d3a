/** Who may do what in an account, its settings, and its audit log. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Members } from '../../src/identity/members/contract.ts';
import { eventually, freshNumber } from '../acceptance/client.ts';
import { ageProofs, OWNER, PASSWORD, read } from '../portal/rig.ts';
import {
  accountOf,
  addAccount,
  chooseInRow,
  heading,
  makeKey,
  openWindow,
  readDownload,
  settle,
  startStage,
} from './rig/stage.ts';

const stage = await startStage();
const owner = await stage.portal.setUp();

/** For a test that makes proofs older: a new one belongs to the cookie of the window, not to this visitor's. */
function signInAgainAfter(t: TestContext): void {
  t.after(
    async () => void read(await owner.post('/portal/api/session', { email: OWNER, password: PASSWORD })),
  );
}

test('an invitation is made and accepted, and a role changed; the audit log shows it', async (t) => {
  const made = await addAccount(owner, 'Harbour office');
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${made}/people`));
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[name=email]').fill('nora@example.com');
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  const link = (await dialog.getByRole('textbox', { name: 'Secret' }).innerText()).trim();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('table', { name: 'Invitations' }).getByText('nora@example.com').waitFor();

  const guest = await openWindow(t, stage);
  await guest.goto(link);
  await guest.getByText('You are invited to join Harbour office as developer').waitFor();
  assert.equal(new URL(guest.url()).hash, '', 'the token leaves the address');
  await guest.locator('input[name=name]').fill('Nora Newcomer');
  await guest.locator('input[name=password]').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Accept' }).click();
  await heading(guest, 'Overview');
  await guest.getByRole('link', { name: 'API keys' }).click();
  await guest.getByRole('button', { name: 'Create a key' }).waitFor();

  await page.reload();
  await chooseInRow(page, 'Nora Newcomer', 'Change role…');
  const choice = page.getByRole('dialog', { name: 'Role of Nora Newcomer' });
  await choice.getByLabel('Role').selectOption('viewer');
  await choice.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nora Newcomer is now viewer').waitFor();
  await guest.reload();
  await heading(guest, 'API keys');
  await settle(guest);
  assert.equal(await guest.getByRole('button', { name: 'Create a key' }).count(), 0);

  await page.getByRole('link', { name: 'Audit log' }).click();
  const newest = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').first();
  await newest.getByText('nora@example.com').waitFor();
  const told = await newest.innerText();
  for (const part of [/Olive Owner/, /127\.0\.0\.1|::1/, /member\.role/, /viewer/]) assert.match(told, part);
});

test('a role changes by Save alone, never by an arrow key, and the change can be undone', async (t) => {
  const made = await addAccount(owner, 'Arrow keys');
  const { link } = read<{ link: string }>(
    await owner.post(`/portal/api${made}/invitations`, { email: 'arrow@example.com', role: 'viewer' }),
  );
  const guest = await openWindow(t, stage);
  await guest.goto(link);
  await guest.locator('input[name=name]').fill('Ada Arrow');
  await guest.locator('input[name=password]').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Accept' }).click();
  await heading(guest, 'Overview');

  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${made}/people`));
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: /Ada Arrow/ });
  await row.waitFor();
  assert.equal(await row.getByRole('combobox').count(), 0, 'nothing in the row acts by an arrow key');
  const role = async () => {
    const { members } = read<Members>(await owner.get(`/portal/api${made}/members`));
    return members.find(({ name }) => name === 'Ada Arrow')?.role;
  };
  await row.getByRole('button', { name: 'Actions for Ada Arrow' }).focus();
  for (const key of ['Enter', 'Enter']) await page.keyboard.press(key);
  const dialog = page.getByRole('dialog', { name: 'Role of Ada Arrow' });
  await dialog.waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await role(), 'viewer');

  await chooseInRow(page, 'Ada Arrow', 'Change role…');
  await dialog.getByLabel('Role').selectOption('owner');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Ada Arrow is now owner').waitFor();
  assert.equal(await role(), 'owner');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Ada Arrow is viewer again').waitFor();
  assert.equal(await role(), 'viewer');
});

test('who signs in here already accepts with that password; another role or removing them names the invitations that end', async (t) => {
  const [first, second] = [await addAccount(owner, 'one of two'), await addAccount(owner, 'two of two')];
  const email = 'ivo@example.com';
  const other = await stage.portal.join(owner, 'viewer', email);
  const invite = async (who: typeof owner, account: string, to: string) => {
    const wanted = { email: to, role: 'owner' };
    return read<{ link: string }>(await who.post(`/portal/api${account}/invitations`, wanted)).link;
  };
  const guest = await openWindow(t, stage);
  await guest.goto(await invite(owner, first, email));
  await guest.getByRole('button', { name: 'I already sign in here with this address' }).click();
  assert.equal(await guest.locator('input[name=name]').count(), 0);
  await guest.locator('input[name=password]').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Accept' }).click();
  await heading(guest, 'Overview');
  const here = await openWindow(t, stage, { as: other });
  await here.goto(await invite(owner, second, email));
  await here.getByText('Your password, to confirm that it is you').waitFor();

  await invite(other, first, 'left@example.com');
  const page = await openWindow(t, stage, { as: owner });
  await page.goto(stage.address(`${first}/people`));
  await chooseInRow(page, 'ivo', 'Change role…');
  const dialog = page.getByRole('dialog', { name: 'Role of ivo' });
  const withdrawn = dialog.getByText(
    'With this role, these open invitations are withdrawn: left@example.com.',
  );
  assert.equal(await withdrawn.count(), 0, 'nothing ends while the role stays');
  await dialog.getByLabel('Role').selectOption('developer');
  await withdrawn.waitFor();
  await dialog.getByLabel('Role').selectOption('owner');
  await withdrawn.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await chooseInRow(page, 'ivo', 'Remove…');
  await page
    .getByRole('dialog')
    .getByText('these open invitations are withdrawn: left@example.com.')
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('ivo is no longer a member').waitFor();
  assert.deepEqual(read<Members>(await owner.get(`/portal/api${first}/members`)).invitations, []);
});

test('after a while, changes to an account need a confirmation of identity, and then go on', async (t) => {
  const made = await addAccount(owner, 'Open session');
  signInAgainAfter(t);
  const page = await openWindow(t, stage, { as: owner, provokes: [403] });
  await page.goto(stage.address(`${made}/people`));
  ageProofs(stage.portal, 11);
  await page.getByRole('button', { name: 'Invite' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite someone' });
  await invite.locator('input[name=email]').fill('later@example.com');
  await invite.getByRole('button', { name: 'Create the link' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await invite.getByRole('alert').getByText('Confirm that it is you').waitFor();
  assert.equal(await invite.locator('input[name=email]').inputValue(), 'later@example.com');
  await invite.getByRole('button', { name: 'Create the link' }).click();
  await question.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await question.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Secret' }).waitFor();
  assert.equal(await question.count(), 0);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('table', { name: 'Invitations' }).getByText('later@example.com').waitFor();

  await page.getByRole('link', { name: 'API keys' }).click();
  ageProofs(stage.portal, 11);
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  const create = page.getByRole('dialog', { name: 'Create a key' });
  await create.locator('input[name=name]').fill('Shop');
  await create.locator('select[name=test]').selectOption('false');
  await create.getByRole('button', { name: 'Create the key' }).click();
  await question.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await question.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Secret' }).waitFor();
});

test('settings are saved, and apply to the next code', async (t) => {
  const made = await addAccount(owner, 'Settings');
  const key = await makeKey(owner, made, 'Shop', false);
  const { client } = stage.portal.service;
  const page = await openWindow(t, stage, { as: owner, provokes: [400] });
  await page.goto(stage.address(`${made}/settings`));
  const limits = page.getByRole('group', { name: 'Codes to one number' });
  await limits.getByText('In effect: 5 in 10 minutes, 20 in 1 day').waitFor();
  await limits.getByRole('button', { name: 'Add a limit' }).click();
  await limits.getByLabel('at most').fill('50');
  await limits.getByLabel('length of the period').fill('10');
  await limits.getByLabel('unit of the period').selectOption('minutes');
  await page.getByRole('button', { name: 'Save' }).click();
  await limits
    .getByText('50 in 10 minutes would have no effect, because 5 in 10 minutes holds already.')
    .waitFor();
  await limits.getByLabel('at most').fill('2');
  await page.locator('input[name=brand]').fill('Acme Harbour');
  await page.locator('input[name=code_length]').fill('9');
  const countries = page.getByRole('combobox', { name: 'Countries' });
  for (const typed of ['germany', 'fr']) {
    await countries.fill(typed);
    await countries.press('Enter');
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('saved and are in use').waitFor();
  await page.reload();
  await page.getByRole('list', { name: 'Chosen countries' }).getByText('France').waitFor();
  assert.equal(await limits.getByLabel('at most').inputValue(), '2');

  // At once, or when the key's cache is next refreshed: until then it is sent, and soon more often than one number may get.
  const refused = await eventually(async () => {
    const { status } = await client.verify('+442071838750', 'voice', { key });
    return status === 400 ? true : undefined;
  });
  assert.ok(refused, 'the country is no longer allowed');
  const destination = freshNumber();
  const { id = '' } = (await client.verify(destination, 'sms', { key })).json;
  const { text, code } = await client.message(destination, id, { key });
  assert.match(text, /Acme Harbour/);
  assert.match(code, /^\d{9}$/);
});

test('a viewer is offered no changes, and changes that are not offered are refused', async (t) => {
  const viewer = await stage.portal.join(owner, 'viewer', 'vera@example.com');
  const account = await accountOf(viewer);
  const page = await openWindow(t, stage, { as: viewer, provokes: [403] });
  for (const [path, title] of [
    ['keys', 'API keys'],
    ['people', 'People'],
    ['settings', 'Settings'],
  ] as const) {
    await page.goto(stage.address(`${account}/${path}`));
    await heading(page, title);
    await settle(page);
    const offered = page.locator('main').getByRole('button', { name: /create|invite|remove|save|revoke/i });
    assert.equal(await offered.count(), 0, path);
  }
  assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0);
  // Requested by the page itself, with everything that a browser sends.
  const status = await page.evaluate(
    `fetch('/portal/api${account}/invitations', {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: '${JSON.stringify({ email: 'friend@example.com', role: 'owner' })}',
    }).then(({ status }) => status)`,
  );
  assert.equal(status, 403);
});

test('an account of others looks as if it did not exist', async (t) => {
  const guest = await stage.portal.join(owner, 'developer', 'dev@example.com');
  const made = await addAccount(owner, 'Secret lab');
  const page = await openWindow(t, stage, { as: guest });
  await page.goto(stage.address(`${made}/keys`));
  await heading(page, 'Page not found');
  assert.doesNotMatch(await page.content(), /Secret lab/);
  assert.equal((await guest.get(`/portal/api${made}/keys`)).status, 404);
});

test('a data request is answered: an owner downloads the copy, and erases the number', async (t) => {
  const made = await addAccount(owner, 'Data office');
  signInAgainAfter(t);
  const { client } = stage.portal.service;
  const key = await makeKey(owner, made, 'Shop');
  const number = freshNumber();
  const sent = await client.issue(number, 'sms', { key });
  const page = await openWindow(t, stage, { as: owner, provokes: [400, 403] });
  await page.goto(stage.address(`${made}/overview`));
  await page.getByRole('link', { name: 'Data requests' }).click();
  await heading(page, 'Data requests');
  const [copy, erase] = [page.locator('form').first(), page.locator('form').last()];

  await copy.getByLabel('Full number').fill('nobody');
  await copy.getByRole('button', { name: 'Download the copy' }).click();
  await copy.getByText('must be a full number or address').first().waitFor();
  await copy.getByLabel('Full number').fill(number);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    copy.getByRole('button', { name: 'Download the copy' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^data-request-[\d-]{10}\.json$/);
  const { verifications, destination } = JSON.parse(await readDownload(download));
  assert.deepEqual([destination, verifications.length, verifications[0].id], [number, 1, sent.id]);

  await erase.getByLabel('Full number').fill(number);
  await erase.getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this number' });
  await dialog.getByText(number).waitFor();
  ageProofs(stage.portal, 11);
  await dialog.getByRole('button', { name: 'Erase it' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await question.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Erased 1 verification').waitFor();
  assert.equal((await client.confirm(sent.id, sent.code, { key })).status, 404);
  await copy.getByRole('button', { name: 'Download the copy' }).click();
  await page.getByText('Nothing is held about this number').waitFor();
  assert.ok(!page.url().includes(number.slice(1)));
});

test('pages that belong to no account lead back to the account that was open last', async (t) => {
  // Not the first by name.
  const open = await addAccount(owner, 'second office');
  const page = await openWindow(t, stage, { as: owner });
  const untilOpen = () => page.waitForURL((url) => url.pathname === `/portal${open}/overview`);
  await page.goto(stage.address(`${open}/overview`));
  await heading(page, 'Overview');
  await page.getByRole('link', { name: 'Olive Owner' }).click();
  await heading(page, 'Your sign-in');
  await page.getByRole('link', { name: 'Your account' }).click();
  await untilOpen();
  await page
    .getByRole('combobox', { name: 'Account', exact: true })
    .selectOption({ label: 'Add an account…' });
  await page.getByRole('link', { name: 'Back' }).click();
  await untilOpen();
  await page.goto(stage.address('/'));
  await untilOpen();
  const places = page.getByRole('listbox', { name: 'Places' }).getByRole('option');
  for (const [path, name] of [
    ['/me', 'Your sign-in'],
    ['/new-account', 'Add an account'],
  ] as const) {
    await page.goto(stage.address(path));
    await heading(page, name);
    await page.keyboard.press('Control+k');
    await places.filter({ hasText: 'Audit log' }).click();
    await heading(page, 'Audit log');
    assert.equal(new URL(page.url()).pathname, `/portal${open}/audit`);
  }
});
