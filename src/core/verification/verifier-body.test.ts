/** What a request may say in addition: what it changes, what is refused, and that nothing of it is written in clear. */
import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import type { GivenBody } from '../body/body.ts';
import type { RequestOptions } from '../body/options.ts';
import type { MessageOptions } from '../message/message.ts';
import { Keyring } from '../secrets/keyring.ts';
import type { OutgoingMessage } from '../sending/carrier.ts';
import { createVerifier, createVerifierRig, LIVE, NUMBER, TEST, type VerifierRig } from './fixture.ts';
import type { GuardedRequest } from './guard-port.ts';
import { createReopen } from './reopen.ts';
import type { Caller, RequestAnswer } from './request.ts';
import type { NewVerification } from './verification.ts';

const MESSAGES: MessageOptions = {
  brand: 'Acme',
  named: {
    login: { fr: { sms: '{{code}} connexion {{brand}}' }, de: { sms: '{{code}} Anmeldung {{brand}}' } },
  },
};
const BRINGS = { ...LIVE, customCodes: true };
const HASH = 'FA+9qCX9VSu';

let rig: VerifierRig;
function renew(): void {
  rig = createVerifierRig();
}

const ask = (body: GivenBody, caller: Caller = LIVE, channel: 'sms' | 'voice' = 'sms') =>
  rig.verifier.request(caller, { destination: NUMBER, channel, idempotencyKey: undefined, ...body });

/** What one request with these options writes, what it hands over, and what is sent after a crash. */
async function askWith(options: RequestOptions, messages = MESSAGES) {
  const issued: NewVerification[] = [];
  const sent: OutgoingMessage[] = [];
  const verifier = createVerifier({
    keyring: rig.keyring,
    store: {
      issue: async (v) => {
        issued.push(v);
        return { kind: 'issued' };
      },
      admit: async () => ({ kind: 'issued' as const }),
      findReplay: async () => undefined,
      confirm: rig.answerConfirm,
    },
    messages,
    handOver: (message) => sent.push(message),
  });
  const request = { destination: NUMBER, channel: 'sms', idempotencyKey: undefined, options } as const;
  const answer = await verifier.request(BRINGS, request);
  const [v, message] = [issued[0], sent[0]];
  const reopened = v && createReopen(rig.keyring, messages, 600_000)({ ...v, settings: null });
  return { answer, v, message, reopened };
}

const reasonOf = (answer: RequestAnswer) =>
  answer.kind === 'invalid' ? `${answer.field} ${answer.code}` : answer.kind;

suite('options', () => {
  beforeEach(renew);

  const worded: [RequestOptions, RegExp, string][] = [
    [{}, /ist Ihr Code für Acme/, 'de'],
    [{ locale: 'pt-br' }, /Acme/, 'pt-BR'],
    [{ locale: 'fr-CA' }, /Acme/, 'fr'],
    [{ locale: 'zh-TW' }, /Acme/, 'zh-Hant'],
    [{ locale: 'zh' }, /Acme/, 'zh-Hans'],
    [{ locale: 'no' }, /Acme/, 'nb'],
    [{ locale: 'sr-RS' }, /Acme/, 'sr-Latn'],
    [{ locale: 'und' }, /ist Ihr Code für Acme/, 'de'],
    [{ locale: 'mt' }, /ist Ihr Code für Acme/, 'de'],
    [{ template: 'login' }, /^\d{6} Anmeldung Acme$/, 'de'],
    [{ template: 'login', locale: 'fr' }, /^\d{6} connexion Acme$/, 'fr'],
    [{ template: 'login', locale: 'es' }, /^\d{6} connexion Acme$/, 'fr'],
    [{ appHash: HASH }, /\nFA\+9qCX9VSu$/, 'de'],
    [{ codeLength: 8 }, /^\d{8} /, 'de'],
    [{ customCode: '0042' }, /^0042 /, 'de'],
  ];
  for (const [options, text, locale] of worded) {
    test(`${JSON.stringify(options)}: worded so, and again when it is sent after a crash`, async () => {
      const { answer, message, reopened } = await askWith(options);
      assert.equal(answer.kind, 'issued');
      assert.match(message?.text ?? '', text);
      assert.equal(message?.locale, locale);
      assert.deepEqual(reopened, message);
    });
  }

  test('a code that ended before its time is worded as valid for as long as codes are', async () => {
    const { v } = await askWith({});
    assert.ok(v);
    const messages = { brand: 'Acme', templates: { de: { sms: '{{code}}: {{minutes}} Minuten' } } };
    const ended = { ...v, settings: null, expiresAt: v.createdAt };
    assert.match(createReopen(rig.keyring, messages, 300_000)(ended).text, /: 5 Minuten/);
  });

  test('the text of a message of before is the usual one where the named text is gone', async () => {
    const { v } = await askWith({ template: 'login' });
    assert.ok(v);
    const { text } = createReopen(rig.keyring, { brand: 'Acme' }, 600_000)({ ...v, settings: null });
    assert.match(text, /ist Ihr Code für Acme/);
  });

  const refused: [RequestOptions, string][] = [
    [{ locale: 'x' }, 'options/locale not_a_language'],
    [{ locale: 'not a tag' }, 'options/locale not_a_language'],
    [{ codeLength: 3 }, 'options/code_length too_small'],
    [{ codeLength: 11 }, 'options/code_length too_large'],
    [{ codeLength: 4.5 }, 'options/code_length too_large'],
    [{ template: 'unknown' }, 'options/template unknown_template'],
    [{ template: 'constructor' }, 'options/template unknown_template'],
    [{ appHash: 'short' }, 'options/app_hash wrong_format'],
    [{ customCode: '123' }, 'options/custom_code wrong_format'],
    [{ customCode: '12345678901' }, 'options/custom_code wrong_format'],
    [{ customCode: '12a4' }, 'options/custom_code wrong_format'],
    [{ customCode: '1234', codeLength: 4 }, 'options/code_length not_allowed_value'],
  ];
  for (const [options, reason] of refused) {
    test(`${JSON.stringify(options)} is refused by its name, and the store not asked`, async () => {
      assert.equal(reasonOf(await ask({ options }, BRINGS)), reason);
      assert.deepEqual(rig.issued, []);
    });
  }

  test('a voice is asked for in the language that is really spoken', async () => {
    const asked: string[] = [];
    rig.canSpeak = (_, locale) => asked.push(locale) > 0;
    await ask({ options: { locale: 'fr-CA' } }, LIVE, 'voice');
    await ask({ options: { locale: 'mt' } }, LIVE, 'voice');
    assert.deepEqual(asked, ['fr', 'de']);
  });

  test('only a key that is permitted to brings a code; a test key always may', async () => {
    const options = { customCode: '482913' };
    assert.equal(reasonOf(await ask({ options })), 'options/custom_code not_permitted');
    assert.equal(reasonOf(await ask({ options }, BRINGS)), 'issued');
    assert.equal(reasonOf(await ask({ options }, TEST)), 'issued');
    assert.deepEqual(
      rig.handedOver.map(({ message }) => message.code),
      ['482913', '482913'],
    );
    const [v] = rig.issued;
    assert.ok(v);
    assert.equal(v.codeMac, rig.keyring.codeMac(v.id, '482913').current);
  });

  test('a repetition with other options is another request, with other metadata and signals the same', async () => {
    const once = (body: GivenBody) =>
      rig.verifier.request(BRINGS, { destination: NUMBER, channel: 'sms', idempotencyKey: 'k', ...body });
    await once({});
    await once({ options: {}, metadata: { order: '1' }, signals: { ip: '192.0.2.1' } });
    await once({ options: { locale: 'fr' } });
    await once({ options: { locale: 'FR' } });
    await once({ options: { customCode: '1234' } });
    const hashes = rig.issued.map(({ idempotency }) => idempotency?.bodyHash);
    const [plain, annotated, french, spelt, brought] = hashes;
    // What versions without options made of it.
    assert.equal(plain, rig.keyring.idempotencyHash(`sms live ${NUMBER}`).current);
    assert.deepEqual([annotated, spelt], [plain, french]);
    assert.equal(new Set([plain, french, brought]).size, 3);
  });
});

suite('a code that the client brings', () => {
  beforeEach(renew);

  const answered = { kind: 'mismatch', attemptsRemaining: 1, country: 'DE', clientNetwork: null } as const;
  let judged: GuardedRequest[];
  beforeEach(() => {
    judged = [];
    const judge = (request: GuardedRequest) => {
      judged.push(request);
      return { passes: true, written: () => {}, notWritten: () => {} } as const;
    };
    rig.guardPort = { ...rig.guardPort, judge };
  });

  test('is judged as such, and counts as requested when it is confirmed', async () => {
    await ask({ options: { customCode: '482913' } }, BRINGS);
    assert.deepEqual([judged[0]?.judged, rig.issued[0]?.brought, rig.told], ['as-brought', true, []]);
    const [v] = rig.issued;
    assert.ok(v);
    const { destinationSealed, createdAt } = v;
    const found = { channel: 'sms', carrier: null, createdAt, destinationSealed } as const;
    const confirmed = {
      ...found,
      kind: 'confirmed',
      country: 'DE',
      clientNetwork: null,
      brought: true,
    } as const;
    const heard: boolean[] = [];
    rig.guardPort = { ...rig.guardPort, confirmed: ({ isEvidence }) => heard.push(isEvidence) };
    rig.answerConfirm = async () => confirmed;
    await rig.verifier.confirm(BRINGS, v.id, '482913');
    assert.deepEqual(rig.told, ['requested sms DE', 'confirmed sms DE unknown']);
    assert.deepEqual(heard, [false]);
  });

  test('of a trusted person is no evidence either, nor is a wrong guess at it', async () => {
    await ask({ signals: { isTrustedUser: true } });
    await ask({ signals: { isTrustedUser: false, deviceId: 'phone' } });
    await ask({ options: { customCode: '482913' }, signals: { isTrustedUser: true } }, BRINGS);
    await ask({ options: { customCode: '482914' }, signals: { deviceId: 'phone' } }, BRINGS);
    assert.deepEqual(
      judged.map((request) => request.judged),
      ['by-rules', 'by-all', 'by-rules', 'as-brought'],
    );
    const heard: boolean[] = [];
    rig.guardPort = { ...rig.guardPort, mismatched: ({ isEvidence }) => heard.push(isEvidence) };
    for (const more of [{}, { signals: '{"trusted":true}' }, { brought: true as const }]) {
      rig.answerConfirm = async () => ({ ...answered, ...more });
      await rig.verifier.confirm(LIVE, 'ver_1', '1234');
    }
    assert.deepEqual(heard, [true, false, false]);
  });
});

suite('metadata and signals', () => {
  beforeEach(renew);

  test('nothing of them is written in clear, nor of the wording', async () => {
    await ask({
      options: { locale: 'fr', appHash: HASH },
      metadata: { correlation_id: 'order-4711' },
      signals: { ip: '192.0.2.77', userAgent: 'Some Browser', deviceId: 'my-phone', devicePlatform: 'ios' },
    });
    const written = JSON.stringify(rig.issued);
    for (const secret of ['order-4711', 'correlation_id', HASH, '192.0.2.77', 'Some Browser', 'my-phone']) {
      assert.ok(!written.includes(secret), secret);
    }
    const { signals } = rig.issued[0] ?? {};
    const kept = JSON.parse(signals ?? '');
    assert.deepEqual([kept.network, kept.platform], ['192.0.2.0/24', 'ios']);
  });

  test('a device is known within its account only, by the same hash each time', async () => {
    const devices: (string | undefined)[] = [];
    rig.guardPort = {
      ...rig.guardPort,
      judge: ({ device }) => {
        devices.push(device);
        return { passes: true, written: () => {}, notWritten: () => {} };
      },
    };
    for (const caller of [LIVE, LIVE, { ...LIVE, accountId: 'acc_2' }])
      await ask({ signals: { deviceId: 'one' } }, caller);
    assert.equal(devices[0], devices[1]);
    assert.notEqual(devices[0], devices[2]);
  });

  const faulty: [GivenBody, string][] = [
    [
      { metadata: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'v'])) },
      'metadata too_many_entries',
    ],
    [{ metadata: { 'a b': 'v' } }, 'metadata wrong_format'],
    [{ metadata: { ['k'.repeat(41)]: 'v' } }, 'metadata wrong_format'],
    [{ metadata: { order: '' } }, 'metadata/order too_short'],
    [{ metadata: { order: 'v'.repeat(201) } }, 'metadata/order too_long'],
    [{ metadata: { order: 'a\nb' } }, 'metadata/order wrong_format'],
    [{ signals: { ip: 'not an address' } }, 'signals/ip not_an_address'],
    [{ signals: { appVersion: 'v\u0000' } }, 'signals/app_version wrong_format'],
  ];
  for (const [body, reason] of faulty) {
    test(`${JSON.stringify(body).slice(0, 60)} is refused by its name`, async () => {
      assert.equal(reasonOf(await ask(body)), reason);
      assert.deepEqual(rig.issued, []);
    });
  }

  test('what is sealed opens after a rotation of the secret', async () => {
    const secrets = ['the secret of before, 32 letters..', 'the secret of now, of 32 letters..'] as const;
    const before = new Keyring(secrets[0]);
    const issued: NewVerification[] = [];
    const store = {
      issue: async (v: NewVerification) => {
        issued.push(v);
        return { kind: 'issued' } as const;
      },
      admit: async () => ({ kind: 'issued' as const }),
      findReplay: async () => undefined,
      confirm: rig.answerConfirm,
    };
    const verifier = createVerifier({ keyring: before, store });
    const request = { destination: NUMBER, channel: 'sms', idempotencyKey: undefined } as const;
    await verifier.request(LIVE, { ...request, options: { locale: 'fr' } });
    const [v] = issued;
    assert.ok(v);
    const reopen = createReopen(new Keyring(secrets[1], secrets[0]), { brand: 'Acme' }, 600_000);
    assert.equal(reopen({ ...v, settings: null }).locale, 'fr');
  });
});
