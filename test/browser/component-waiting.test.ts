/** What is typed into `<countersign-verify>` while an answer is under way, and what comes too late. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshNumber, wrongCode } from '../acceptance/client.ts';
import {
  code,
  complaint,
  ELEMENT,
  focused,
  heard,
  hold,
  number,
  paste,
  press,
  send,
  startElement,
} from './rig/element.ts';

const { countersign, open } = await startElement();

test('a wrong code is sent once by itself, and an answer that comes too late changes nothing', async (t) => {
  const page = await open(t, { attributes: '', provokes: [403] });
  const destination = await send(page);
  const wrong = wrongCode(await countersign.code(destination));
  const checks: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/verify/check')) checks.push(request.url());
  });
  await paste(page, wrong);
  await complaint(page).getByText('Wrong code. 4 attempts left.').waitFor();
  await paste(page, wrong);
  // What is sent in answer to typing is sent at once, and told of before the page answers this.
  await page.evaluate('document.readyState');
  assert.equal(checks.length, 1);
  await press(page, 'Confirm');
  await complaint(page).getByText('Wrong code. 3 attempts left.').waitFor();

  await press(page, 'Edit');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest('**/verify/start');
  await page.route('**/verify/start', (route) => held.then(() => route.continue()), { times: 1 });
  await press(page, 'Send code');
  const late = await asked;
  await page.evaluate(`${ELEMENT}.reset()`);
  release();
  // It was ended, or it is answered before anything else is asked.
  await late.response();
  await send(page);
  assert.deepEqual(
    (await heard(page)).map(({ type }) => type),
    ['countersign-sent', 'countersign-error', 'countersign-error', 'countersign-sent'],
  );
});

test('while the number is on its way it stays as it was sent, and can be mended if it is refused', async (t) => {
  const page = await open(t, {
    attributes: 'country="AT"',
    around: '%<input aria-label="Name">',
    provokes: [400],
  });
  const start = await hold(page, '/verify/start');
  await number(page).fill('0660 12');
  const before = await number(page).inputValue();
  await number(page).press('Enter');
  await page.locator('form[aria-busy=true] #number:read-only').waitFor();
  await page.keyboard.type('34');
  await page.keyboard.press('Enter');
  await press(page, 'Send code');
  await page.evaluate(`(({ shadowRoot }) => {
    const country = shadowRoot.querySelector('#country');
    country.value = 'DE';
    country.dispatchEvent(new Event('change'));
  })(${ELEMENT})`);
  await page.evaluate(`${ELEMENT}.lang = 'de'`);
  await page.evaluate(`${ELEMENT}.setAttribute('country', 'FR')`);
  assert.deepEqual(
    [await number(page).inputValue(), await page.locator('#country').inputValue()],
    [before, 'AT'],
  );
  await number(page).focus();
  await start.release({ status: 400, json: { ok: false, reason: 'invalid', code: 'invalid_number' } });
  await page.locator('#number:not(:read-only)[aria-invalid=true]').waitFor();
  assert.equal(start.count(), 1);
  await page.keyboard.type('9');
  assert.equal((await number(page).inputValue()).replace(/\D/g, ''), '0660129', 'the next digit is added');

  // Who went on to the next field is left there.
  const other = await hold(page, '/verify/start');
  await number(page).fill(freshNumber());
  await number(page).press('Enter');
  await page.getByLabel('Name').pressSequentially('Ada');
  await other.release();
  await code(page).waitFor();
  await page.keyboard.type(' L');
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ada L');
  assert.equal(await code(page).inputValue(), '');
});

test('while a code is judged it stays as it was sent; one that comes by SMS meanwhile is sent next', async (t) => {
  const page = await open(t, {
    attributes: '',
    provokes: [403],
    script: `window.OTPCredential = class {};
      navigator.credentials.get = () => new Promise((resolve) => { window.receive = (code) => resolve({ code }); });`,
  });
  const destination = await send(page);
  const right = await countersign.code(destination);
  const wrong = wrongCode(right);
  const check = await hold(page, '/verify/check');
  await page.keyboard.type(wrong);
  await page.locator('form[aria-busy=true] #code:read-only').waitFor();
  assert.equal(await focused(page), 'code');
  await page.keyboard.type('7');
  await page.keyboard.press('Backspace');
  await paste(page, right);
  await page.keyboard.press('Enter');
  await page.evaluate(`receive('${right}')`);
  assert.equal(await code(page).inputValue(), wrong);
  assert.equal(check.count(), 1);
  await check.release();
  await page.getByText('Your phone number is confirmed.').waitFor();
  assert.deepEqual(
    (await heard(page)).map(({ type }) => type),
    ['countersign-sent', 'countersign-error', 'countersign-confirmed'],
  );
});

test('while another code is asked for, none is taken; and a code that nobody judged is sent again', async (t) => {
  const page = await open(t, { attributes: '', provokes: [403, 503] });
  await send(page);
  await page.clock.fastForward(31_000);
  const again = await hold(page, '/verify/start');
  await press(page, 'Resend code');
  await page.locator('form[aria-busy=true] #code:read-only').waitFor();
  await paste(page, '123456');
  await page.keyboard.type('1');
  await press(page, 'Confirm');
  assert.equal(await code(page).inputValue(), '');
  await again.release();
  await page.locator('#code:not(:read-only)').waitFor();
  await page.route('**/verify/check', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await page.keyboard.type('123456');
  await complaint(page).getByText('That did not work. Please try again later.').waitFor();
  assert.equal(await code(page).inputValue(), '123456');
  const check = page.waitForRequest('**/verify/check');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('6');
  await check;
});
