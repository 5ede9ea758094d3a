import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Service } from '../service.ts';
import { freshNumber, problemOf, reasons } from './client.ts';
import { isOwnService, openTarget, startTarget } from './target.ts';

const { client, testKey } = await openTarget();

test('answers 200 with id, destination and channel', async () => {
  const destination = freshNumber();
  const answer = await client.verify(destination);
  assert.equal(answer.status, 200);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  assert.deepEqual(Object.keys(answer.json).sort(), ['channel', 'destination', 'id']);
  assert.equal(answer.json.destination, destination);
  assert.equal(answer.json.channel, 'sms');
  assert.match(answer.json.id ?? '', /^\S{16,64}$/);
});

for (const channel of ['sms', 'voice']) {
  test(`sends a code of six digits by ${channel}`, async () => {
    const destination = freshNumber();
    const { json } = await client.verify(destination, channel);
    const message = await client.message(destination, json.id ?? '');
    assert.equal(message.channel, channel);
    assert.match(message.code, /^\d{6}$/);
    if (channel === 'sms') assert.ok(message.text.startsWith(message.code), 'the code comes first');
    for (const digit of message.code) assert.ok(message.text.includes(digit));
  });
}

const number = freshNumber();
const spaced = `${number.slice(0, 3)} (${number.slice(3, 6)}) ${number.slice(6, 9)}-${number.slice(9)}`;
const unseen = `\ufeff${number.slice(0, 3)}\u200b ${number.slice(3, 6)}/${number.slice(6, 9)}\u00ad${number.slice(9)}\u3164`;

const ACCEPTED = [
  ['sms', 'E.164', number, number],
  ['sms', 'E.164 with spaces, hyphens and brackets', spaced, number],
  ['sms', 'E.164 with slashes and characters that nobody sees', unseen, number],
  ['voice', 'E.164 with slashes and characters that nobody sees', unseen, number],
  ['sms', 'a number that may be a landline or a mobile', '+12025550123', '+12025550123'],
  ['voice', 'E.164', number, number],
  ['voice', 'a landline', '+442071838750', '+442071838750'],
  ['voice', 'E.164 with an extension', 'tel:+12025550123;ext=12', 'tel:+12025550123;ext=12'],
  ['voice', 'a SIP URI', 'sip:alice@example.com', 'sip:alice@example.com'],
  ['voice', 'a SIPS URI', 'sips:alice@example.com', 'sips:alice@example.com'],
] as const;

for (const [channel, what, input, echoed] of ACCEPTED) {
  test(`${channel}: accepts ${what}, echoed in its canonical spelling`, async () => {
    // A test key, because some of these numbers are the same in every run and would meet their limit.
    const answer = await client.verify(input, channel, { key: testKey });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.destination, echoed);
    assert.equal(answer.json.channel, channel);
  });
}

const REFUSED_DESTINATIONS = [
  ['sms', 'a national number', '015112345678', 'not_e164'],
  ['sms', 'a number that is too short for its plan', '+4912', 'not_e164'],
  ['sms', 'a number that is too long for its plan', '+4915112345678901', 'not_e164'],
  ['sms', 'a country code that nobody has', '+9991234567', 'invalid_number'],
  ['sms', 'a vanity number', '+1800FLOWERS', 'not_e164'],
  ['sms', 'letters after the number', `${number}abc`, 'not_e164'],
  ['sms', 'a known landline', '+442071838750', 'landline'],
  ['sms', 'a premium-rate number', '+19005551234', 'premium_rate'],
  ['sms', 'an extension', 'tel:+12025550123;ext=12', 'not_e164'],
  ['sms', 'a SIP URI', 'sip:alice@example.com', 'not_e164'],
  ['sms', 'an email address', 'alice@example.com', 'not_e164'],
  ['sms', 'an overlong string', `+${'1'.repeat(5_000)}`, 'too_long'],
  ['voice', 'a premium-rate number', '+19005551234', 'premium_rate'],
  ['voice', 'a SIP URI without a host', 'sip:alice@', 'not_a_sip_uri'],
  ['voice', 'a SIP URI with headers', 'sip:alice@example.com?Subject=x', 'not_a_sip_uri'],
] as const;

for (const [channel, what, destination, code] of REFUSED_DESTINATIONS) {
  test(`${channel}: 400 on destination for ${what}`, async () => {
    const answer = await client.verify(destination, channel);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(reasons(answer), [`destination ${code}`]);
  });
}

for (const channel of ['sms', 'voice']) {
  test(`${channel}: a live key sends nothing to satellite and personal numbers, a test key plays it`, async () => {
    for (const [destination, code] of [
      ['+88216123456789', 'satellite'],
      ['+447012345678', 'personal_number'],
    ] as const) {
      const answer = await client.verify(destination, channel);
      assert.deepEqual([answer.status, reasons(answer)], [400, [`destination ${code}`]]);
      const played = await client.verify(destination, channel, { key: testKey });
      assert.equal(played.status, 200, played.text);
    }
  });
}

const REFUSED_BODIES: readonly [string, unknown, readonly string[]][] = [
  ['without destination', { channel: 'sms' }, ['destination missing']],
  ['without channel', { destination: number }, ['channel missing']],
  ['without either', {}, ['channel missing', 'destination missing']],
  ['with an unknown channel', { destination: number, channel: 'email' }, ['channel not_allowed_value']],
  ['with a channel in capitals', { destination: number, channel: 'SMS' }, ['channel not_allowed_value']],
  ['with an empty destination', { destination: '', channel: 'sms' }, ['destination too_short']],
  [
    'with a destination that is a number',
    { destination: 4915112345678, channel: 'sms' },
    ['destination wrong_type'],
  ],
  ['with a destination that is null', { destination: null, channel: 'sms' }, ['destination wrong_type']],
  [
    'with a destination that is an array',
    { destination: [number], channel: 'sms' },
    ['destination wrong_type'],
  ],
  ['with a channel that is a boolean', { destination: number, channel: true }, ['channel wrong_type']],
  [
    'with both of a wrong type',
    { destination: {}, channel: 1 },
    ['channel wrong_type', 'destination wrong_type'],
  ],
];

for (const [what, body, expected] of REFUSED_BODIES) {
  test(`400 naming the field ${what}`, async () => {
    const answer = await client.post('/verify', body);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(reasons(answer), expected);
  });
}

test('ignores fields that it does not know', async () => {
  const body = { destination: freshNumber(), channel: 'sms', locale: 'xx', constructor: 1, id: 7 };
  assert.equal((await client.post('/verify', body)).status, 200);
});

test('a second request for the same number gets a new id and a new code, and both codes hold', async () => {
  const destination = freshNumber();
  const first = await client.issue(destination);
  const second = await client.issue(destination);
  assert.notEqual(first.id, second.id);
  assert.equal((await client.confirm(first.id, first.code)).status, 200);
  assert.equal((await client.confirm(second.id, second.code)).status, 200);
});

if (isOwnService) {
  let service: Service;
  before(async () => {
    service = await startTarget({
      config: {
        code: { length: 10, alphabet: 'letters' },
        routes: [{ channel: 'sms', countries: ['DE', 'FR'], carriers: ['simulator'] }],
        guard: { countries: ['DE', 'US'], neverSend: { allow: ['+49700'], add: ['+4916'] } },
      },
    });
  });
  after(() => service[Symbol.asyncDispose]());

  test('a route must serve the channel and the country, and the guard allow it', async () => {
    assert.equal((await service.client.verify(freshNumber())).status, 200);
    const abroad = await service.client.verify('+12025550123');
    assert.deepEqual([abroad.status, reasons(abroad)], [400, ['destination no_route']]);
    for (const [destination, reason] of [
      ['+33612345678', 'destination country_not_allowed'],
      ['+4916212345678', 'destination never_sent'],
      ['+4918012345678', 'destination shared_cost'],
    ] as const) {
      const refused = await service.client.verify(destination);
      assert.deepEqual([refused.status, reasons(refused)], [400, [reason]]);
      assert.equal(problemOf(refused), problemOf(abroad));
    }
    assert.equal((await service.client.verify('+4970012345678')).status, 200, 'allowed');
    const call = await service.client.verify(freshNumber(), 'voice');
    assert.deepEqual([call.status, reasons(call)], [400, ['channel no_route']]);
    assert.equal(problemOf(call), problemOf(abroad));
  });

  test('length and alphabet of the code are configurable', async () => {
    const { id, code } = await service.client.issue(freshNumber());
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/, 'Crockford base 32 has no I, L, O and U');
    assert.equal((await service.client.confirm(id, code.toLowerCase())).status, 200);
  });
}

const SIGNALS = {
  ...{ ip: '203.0.113.9', user_agent: 'Some Browser', device_id: 'phone', device_platform: 'ios' },
  ...{ app_version: '4.2.1', is_trusted_user: true },
};

test('signals are taken, and unknown ones are not looked at', async () => {
  const answers = [{ ip: '203.0.113.9' }, { ip: '2001:db8::1', unheard_of: 4 }, SIGNALS, {}].map((signals) =>
    client.post('/verify', { destination: freshNumber(), channel: 'sms', signals }),
  );
  for (const answer of await Promise.all(answers)) assert.equal(answer.status, 200, answer.text);
});

for (const [body, named] of [
  [{ options: 'x' }, 'options wrong_type'],
  [{ options: { locale: 'not a tag' } }, 'options/locale not_a_language'],
  [{ options: { code_length: 3 } }, 'options/code_length too_small'],
  [{ options: { code_length: 11 } }, 'options/code_length too_large'],
  [{ options: { template: 'nobody-has-this' } }, 'options/template unknown_template'],
  [{ options: { app_hash: 'short' } }, 'options/app_hash wrong_format'],
  [{ options: { custom_code: '123' } }, 'options/custom_code too_short'],
  [{ options: { custom_code: '482913' } }, 'options/custom_code not_permitted'],
  [{ signals: { user_agent: 'x'.repeat(513) } }, 'signals/user_agent too_long'],
  [{ signals: { device_id: 'x'.repeat(201) } }, 'signals/device_id too_long'],
  [{ signals: { device_platform: 'beos' } }, 'signals/device_platform not_allowed_value'],
  [{ signals: { app_version: 'x'.repeat(41) } }, 'signals/app_version too_long'],
  [{ signals: { is_trusted_user: 'yes' } }, 'signals/is_trusted_user wrong_type'],
  [{ metadata: [] }, 'metadata wrong_type'],
  [{ metadata: { 'a b': 'x' } }, 'metadata wrong_format'],
  [{ metadata: { order: 7 } }, 'metadata/order wrong_type'],
] as const) {
  test(`${named}: the member is named, and nothing is sent`, async () => {
    const answer = await client.post('/verify', { destination: freshNumber(), channel: 'sms', ...body });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(reasons(answer), [named]);
  });
}

test('a message in the language, with the length and for the app that were asked for', async () => {
  const destination = freshNumber();
  const options = { locale: 'fr', code_length: 8, app_hash: 'FA+9qCX9VSu', unheard_of: 4 };
  const { json } = await client.post('/verify', { destination, channel: 'sms', options });
  const { text } = await client.message(destination, json.id ?? '');
  assert.match(text, /^\d{8} .*\nFA\+9qCX9VSu$/su);
  assert.match(text, /votre|code/);
});

test('a language without its script is the one that its speakers read', async () => {
  for (const [locale, words] of [
    ['zh-TW', /驗證碼/],
    ['zh-CN', /验证码/],
    ['no', /koden din/],
    ['sr-RS', /vaš/i],
  ] as const) {
    const destination = freshNumber();
    const { json } = await client.post('/verify', { destination, channel: 'sms', options: { locale } });
    const { text } = await client.message(destination, json.id ?? '');
    assert.match(text, words, locale);
  }
});

test('a test key brings a code, which is sent and confirmed', async () => {
  const destination = freshNumber();
  const body = { destination, channel: 'sms', options: { custom_code: '00471' } };
  const { json } = await client.post('/verify', body, { key: testKey });
  const message = await client.message(destination, json.id ?? '', { key: testKey });
  assert.equal(message.code, '00471');
  assert.equal((await client.confirm(json.id ?? '', '00471', { key: testKey })).status, 200);
});

test('metadata comes back with the state of the verification', async () => {
  const metadata = { correlation_id: 'order-4711', 'shop.v2': 'é' };
  const { json } = await client.post('/verify', { destination: freshNumber(), channel: 'sms', metadata });
  const state = await client.get(`/verifications/${json.id}`);
  assert.deepEqual(JSON.parse(state.text).metadata, metadata);
});

test('the same Idempotency-Key with other options is another request, with other metadata the same', async () => {
  const destination = freshNumber();
  const post = (more: object) =>
    client.post(
      '/verify',
      { destination, channel: 'sms', ...more },
      { headers: { 'idempotency-key': destination } },
    );
  const first = await post({ options: { locale: 'fr' }, metadata: { try: '1' } });
  const again = await post({ options: { locale: 'fr' }, metadata: { try: '2' } });
  assert.deepEqual([again.status, again.json.id], [200, first.json.id]);
  assert.equal((await post({ options: { locale: 'de' } })).status, 422);
});

for (const [what, signals, code] of [
  ['is no address', { ip: '203.0.113' }, 'not_an_address'],
  ['is a network', { ip: '203.0.113.0/24' }, 'not_an_address'],
  ['is no text', { ip: 7 }, 'wrong_type'],
] as const) {
  test(`signals.ip that ${what} is named, and nothing is sent`, async () => {
    const destination = freshNumber();
    const answer = await client.post('/verify', { destination, channel: 'sms', signals });
    assert.deepEqual(reasons(answer), [`signals/ip ${code}`]);
  });
}
