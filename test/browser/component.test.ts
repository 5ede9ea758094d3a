/** `<countersign-verify>` in a real browser: the example application in front of a real service, and pages of the tests' own. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inGroups } from '../../component/src/countries.ts';
import { eventually, freshNumber, wrongCode } from '../acceptance/client.ts';
import { ROOT } from '../deploy/project.ts';
import {
  code,
  complaint,
  ELEMENT,
  focused,
  heard,
  hold,
  judge,
  nonEmpty,
  number,
  paste,
  press,
  said,
  send,
  startElement,
} from './rig/element.ts';

const { service, apiKey, countersign, received, open } = await startElement();

test('the example signs in with a number: typed, sent, a wrong code, the right one pasted', async (t) => {
  const page = await open(t, { provokes: [403] });
  await page.getByText('You are not signed in.').waitFor();
  await judge(page);
  // By the keyboard only, as it is written at home.
  const destination = freshNumber();
  await page.getByLabel('Country').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type(destination.slice(0, 3));
  assert.equal(await page.getByLabel('Country').inputValue(), 'DE', 'the calling code chooses the country');
  await number(page).fill(`0${destination.slice(3)}`);
  await page.keyboard.press('Enter');
  await page
    .getByText(`We sent a code to ${inGroups(destination, '')}.`)
    .first()
    .waitFor();
  assert.equal(await said(page), `We sent a code to ${inGroups(destination, '')}.`);
  assert.equal(await page.evaluate(`${ELEMENT}.shadowRoot.activeElement.id`), 'code');
  await judge(page);

  const right = await countersign.code(destination);
  await page.keyboard.type(wrongCode(right));
  await complaint(page).getByText('Wrong code. 4 attempts left.').waitFor();
  assert.equal(await code(page).getAttribute('aria-invalid'), 'true');
  await judge(page);

  await paste(page, `${right.slice(0, 3)} ${right.slice(3)} is your code.`);
  await page.getByText('Your phone number is confirmed.').waitFor();
  await page.getByText(`You are signed in as ${destination}.`).waitFor();
  await judge(page);
  assert.deepEqual(await heard(page), [
    { type: 'countersign-sent', destination, channel: 'sms' },
    { type: 'countersign-error', step: 'code', reason: 'mismatch', attemptsRemaining: 4 },
    { type: 'countersign-confirmed', destination },
  ]);
});

test('another code can be asked for after a wait that is shown, and is not read out each second', async (t) => {
  const page = await open(t, { attributes: 'channels="sms voice"' });
  const destination = await send(page);
  // However slow the machine is.
  await page.clock.pauseAt(Date.now() + 5_000);
  const first = await countersign.code(destination);
  await page.getByText('Resend in 0:').waitFor();
  const wait = page.locator('#code-wait');
  const left = async () => Number(/^Resend in 0:(\d\d)$/.exec((await wait.textContent()) ?? '')?.[1]);
  const before = await left();
  assert.equal(await page.getByRole('button', { name: 'Resend code' }).count(), 0);
  const call = page.getByRole('button', { name: 'Call me instead' });
  assert.equal(await call.getAttribute('aria-disabled'), 'true');
  await press(page, 'Call me instead');
  await page.clock.runFor((before - 5) * 1_000);
  assert.equal(await left(), 5);
  assert.equal(await said(page), `We sent a code to ${inGroups(destination, '')}.`);
  assert.equal((await heard(page)).length, 1, 'nothing was sent while it waits');
  await page.clock.runFor(15_000);
  assert.equal(await said(page), 'You can ask for a new code now.');
  assert.equal(await wait.textContent(), '');
  await page.getByRole('button', { name: 'Resend code' }).waitFor();
  await page.clock.resume();
  await judge(page);

  await press(page, 'Call me instead');
  await page
    .getByText(`We are calling ${inGroups(destination, '')} with your code.`)
    .first()
    .waitFor();
  await page.getByText('Call again in 0:').waitFor();
  await judge(page);
  assert.equal((await heard(page)).at(-1)?.channel, 'voice');
  const second = await eventually(async () => {
    const newest = await countersign.code(destination);
    return newest === first ? undefined : newest;
  });
  await paste(page, second ?? '');
  await page.getByText('Your phone number is confirmed.').waitFor();
});

test('a code goes to an app, and the page says to which; then the other channels are offered in turn', async (t) => {
  const page = await open(t, { attributes: 'channels="whatsapp sms voice"' });
  await page.getByRole('button', { name: 'Send an SMS instead' }).waitFor();
  const destination = await send(page);
  assert.equal(await said(page), `We sent a code to ${inGroups(destination, '')} on WhatsApp.`);
  await page
    .getByText(`We sent a code to ${inGroups(destination, '')} on WhatsApp.`)
    .first()
    .waitFor();
  await judge(page);
  for (const [instead, channel, next] of [
    ['Send an SMS instead', 'sms', 'Call me instead'],
    ['Call me instead', 'voice', 'Send it on WhatsApp instead'],
    ['Send it on WhatsApp instead', 'whatsapp', 'Send an SMS instead'],
  ] as const) {
    await page.clock.fastForward(31_000);
    await press(page, instead);
    await page.getByRole('button', { name: next }).waitFor();
    assert.equal((await heard(page)).at(-1)?.channel, channel);
  }
  const last = await eventually(async () => {
    const [newest, ...before] = await service.client.messages(destination, { key: apiKey });
    return before.length === 3 ? newest : undefined;
  });
  await paste(page, last?.code ?? '');
  await page.getByText('Your phone number is confirmed.').waitFor();
});

for (const [lang, dir, label] of [
  ['ar', 'rtl', 'رقم الهاتف'],
  ['de', 'ltr', 'Telefonnummer'],
  ['ja', 'ltr', '電話番号'],
  ['pt', 'ltr', 'Número de telefone'],
] as const) {
  test(`${lang}: slow answers; it reads in its direction, fits and is accessible, in every state`, async (t) => {
    const page = await open(t, {
      attributes: 'channels="sms voice" country="AT"',
      lang,
      provokes: [400, 403],
    });
    const root = page.locator('[part=root]');
    assert.equal(await root.getAttribute('dir'), dir);
    await page.getByLabel(label).waitFor();
    const countries = await page.locator('#country').innerText();
    assert.ok(countries.includes(new Intl.DisplayNames(lang, { type: 'region' }).of('JP') ?? '?'));
    await judge(page);
    // A landline of Vienna.
    await number(page).fill('01 5123456');
    const refusal = await hold(page, '/verify/start');
    await number(page).press('Enter');
    await page.locator('[part~=send][aria-busy=true]').waitFor();
    await judge(page);
    await refusal.release();
    const [refused] = (await eventually(async () => nonEmpty(await heard(page)))) ?? [];
    assert.equal(refused?.code, 'landline');
    assert.equal(await number(page).getAttribute('aria-invalid'), 'true');
    await judge(page);
    const right = await countersign.code(await send(page));
    const check = await hold(page, '/verify/check');
    await paste(page, wrongCode(right));
    await page.locator('[part~=confirm][aria-busy=true]').waitFor();
    await judge(page);
    await check.release();
    await complaint(page)
      .filter({ hasText: new Intl.NumberFormat(lang).format(4) })
      .waitFor();
    await judge(page);
    // The language of the element itself is followed at once.
    await page.evaluate(`${ELEMENT}.lang = 'fr'`);
    await page.getByText('Nous avons envoyé un code au').first().waitFor();
    assert.equal(await root.getAttribute('dir'), 'ltr');
    await page.evaluate(`${ELEMENT}.lang = '${lang}'`);
    await paste(page, right);
    await page.locator('[part=done]').waitFor();
    await judge(page);
  });
}

test('a number that is pasted chooses its country, and is written as there', async (t) => {
  const page = await open(t, {
    attributes: 'countries="GB FR US" country="US"',
    // A system that draws flags: two letters become one picture.
    script: `CanvasRenderingContext2D.prototype.measureText = (text) => ({ width: text.includes('\\u200b') ? 20 : 10 });`,
  });
  const face = page.locator('[part=calling-code]');
  const field = async () => [await face.textContent(), await number(page).inputValue()];
  assert.deepEqual(await page.locator('#country option').count(), 3);
  assert.deepEqual(await field(), ['🇺🇸+1', '']);
  assert.equal(await number(page).getAttribute('placeholder'), '(201) 555-0123');
  await number(page).pressSequentially('2015550124');
  assert.deepEqual(await field(), ['🇺🇸+1', '(201) 555-0124']);
  // A digit in the middle: the caret stays where it was.
  for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('6');
  await page.keyboard.type('7');
  assert.deepEqual(await field(), ['🇺🇸+1', '(201) 556-70124']);
  await page.evaluate(`navigator.clipboard.writeText('+44 (0)7400 123456')`);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+V');
  assert.deepEqual(await field(), ['🇬🇧+44', '07400 123456']);
  // Not one that is offered: the number is as it was pasted, and says its country itself.
  await page.evaluate(`navigator.clipboard.writeText('+43 660 1234567')`);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+V');
  assert.deepEqual(await field(), ['🇬🇧+44', '+43 660 1234567']);
  await page.evaluate(`${ELEMENT}.setAttribute('countries', 'FR')`);
  assert.equal((await field())[0], '🇫🇷+33');
});

test('the room that the README reserves is the room that it takes', async (t) => {
  const readme = readFileSync(join(ROOT, 'component/README.md'), 'utf8');
  const [, second, first] = /second channel ([\d.]+)rem.*min-block-size: ([\d.]+)rem/s.exec(readme) ?? [];
  for (const [channels, reserved] of [
    ['sms', first],
    ['sms voice', second],
  ]) {
    const page = await open(t, { attributes: `channels="${channels}"` });
    const height = await page.evaluate<number>(`${ELEMENT}.getBoundingClientRect().height`);
    assert.ok(Math.abs(height - Number(reserved) * 16) <= 1, `${channels}: ${height}, not ${reserved}rem`);
  }
});

test('the keyboard is enough, and what is read out is read once', async (t) => {
  const page = await open(t, { attributes: 'channels="sms voice"', provokes: [400] });
  const asked: unknown[] = [];
  let answer: { readonly status?: number; readonly json: object } = {
    status: 400,
    json: { ok: false, reason: 'invalid', code: 'invalid_number' },
  };
  await page.route('**/verify/*', (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill(answer);
  });
  await page.getByLabel('Country').focus();
  await page.keyboard.type('Austria');
  assert.equal(await page.locator('[part=calling-code]').textContent(), 'AT+43');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'number');
  await page.keyboard.type('0660 123');
  // From the button the focus goes to the field, which says what is wrong of it; from the field itself it does not move.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await complaint(page).getByText('not valid').waitFor();
  assert.deepEqual([await focused(page), await said(page)], ['number', '']);
  await page.keyboard.press('Enter');
  await eventually(async () => (await said(page)) || undefined);
  assert.equal(await said(page), 'This phone number is not valid. Please check it.');
  answer = { json: { ok: true, channel: 'voice', resendAfter: 0 } };
  await page.keyboard.type('4567');
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await code(page).waitFor();
  assert.equal(await focused(page), 'code');
  assert.equal(await said(page), 'We are calling +43 660 1234567 with your code.');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  assert.equal(await focused(page), 'number');
  assert.equal(await number(page).inputValue(), '0660 1234567');
  await page.keyboard.press('Enter');
  await code(page).waitFor();
  answer = { json: { ok: true } };
  await page.keyboard.type('123456');
  await page.getByText('Your phone number is confirmed.').waitFor();
  assert.equal(await page.evaluate(`${ELEMENT}.shadowRoot.activeElement.getAttribute('part')`), 'done');
  assert.equal(await said(page), '');
  const destination = '+436601234567';
  assert.deepEqual(asked.slice(2), [
    { destination, channel: 'voice' },
    { destination, channel: 'sms' },
    { code: '123456' },
  ]);
});

test('the browser reads the code from the SMS, and no longer listens once the person goes elsewhere', async (t) => {
  const page = await open(t, {
    attributes: '',
    script: `window.OTPCredential = class {};
      window.asked = [];
      navigator.credentials.get = ({ otp, signal }) => new Promise((resolve, reject) => {
        asked.push({ otp, signal, resolve });
        signal.addEventListener('abort', () => reject(signal.reason));
      });`,
  });
  const ended = () => page.evaluate('asked.map(({ signal }) => signal.aborted)');
  await send(page);
  assert.deepEqual(await page.evaluate('asked[0].otp'), { transport: ['sms'] });
  await press(page, 'Edit');
  assert.deepEqual(await ended(), [true]);
  const destination = await send(page);
  assert.deepEqual(await ended(), [true, false]);
  await page.evaluate(`asked[1].resolve({ code: '${await countersign.code(destination)}' })`);
  await page.getByText('Your phone number is confirmed.').waitFor();
  assert.deepEqual(await ended(), [true, true]);
  await page.evaluate(`${ELEMENT}.reset()`);
  assert.equal(await number(page).inputValue(), '');
  assert.deepEqual(await ended(), [true, true]);
});

test('a form around it waits for the confirmation', async (t) => {
  const page = await open(t, {
    attributes: 'name="phone" required length="6"',
    around: '<form>%<button>Sign up</button></form>',
  });
  const form = () =>
    page.evaluate(`[document.forms[0].checkValidity(), new FormData(document.forms[0]).get('phone')]`);
  assert.deepEqual(await form(), [false, null]);
  await press(page, 'Sign up');
  assert.equal(await page.evaluate(`${ELEMENT}.shadowRoot.activeElement?.id`), 'number');
  const destination = await send(page);
  assert.deepEqual(await form(), [false, null]);
  await paste(page, await countersign.code(destination));
  await page.getByText('Your phone number is confirmed.').waitFor();
  assert.deepEqual(await form(), [true, 'confirmed']);
  await page.evaluate('document.forms[0].reset()');
  assert.deepEqual(await form(), [false, null]);
});

test('a limit is waited for, and does not hold up another number', async (t) => {
  const page = await open(t, { attributes: '', provokes: [429] });
  const answer = { ok: false, reason: 'limited', retryAfter: 3_700 };
  await page.route('**/verify/start', (route) => route.fulfill({ status: 429, json: answer }), { times: 1 });
  await number(page).fill(freshNumber());
  await number(page).press('Enter');
  await complaint(page).getByText('Too many codes requested. Please wait.').waitFor();
  await page.getByText(/You can ask for a new code in 1:01:\d\d\.$/).waitFor();
  await judge(page);
  await press(page, 'Send code');
  assert.equal((await heard(page)).length, 1);
  await number(page).fill('');
  assert.equal(await complaint(page).count(), 0);
  await send(page);
});

test('no key reaches the browser', () => {
  assert.ok(received.some((text) => text.includes('"ok":true')));
  assert.ok(!received.some((text) => /csk_(test|live)_/.test(text)));
});
