/** Senders by country and registered texts, from the configuration to the gateway, with every carrier. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { CARRIER_TYPES } from '../../../src/carriers/all-types.ts';
import { createCarriers, INERT } from '../../../src/carriers/index.ts';
import { findProblem, findProblems, loadText } from '../../../src/config/fixture.ts';
import { composeMessage } from '../../../src/core/message/message.ts';
import type { OutgoingMessage } from '../../../src/core/sending/carrier.ts';
import { message } from '../contract.ts';
import { answer, type Gateway, type GatewayRequest, startGateway } from '../gateway.ts';
import { bound } from '../smpp/rig.ts';
import { Smsc } from '../smpp/smsc.ts';
import { renamed, SENDER_RIGS, type SenderRig, type Shown } from './sender-rigs.ts';

/** Of each message, and not of the file. */
const deadline = () => ({ signal: AbortSignal.timeout(20_000) });
const NUMBERS: Readonly<Record<string, string>> = {
  IN: '+919876543210',
  US: '+12025550123',
  DE: '+4915112345678',
};
const SENDERS = { IN: 'ACMEIN', US: '+12025550199', default: 'Acme' };
const CALLERS = { IN: '+912212345678', default: '+12025550199' };
const SHORT = { from: '+4915100000000' };
const ENTITY = '1101456324675322134';
const TEMPLATES = { en: '1107161234567890123', hi: '1107161234567890456', login: '1107161234567890789' };
const REGISTERED = {
  entity: ENTITY,
  texts: {
    en: { id: TEMPLATES.en, sms: '{{code}} is your {{brand}} code, valid for {{minutes}} minutes. - ACMEIN' },
    hi: { id: TEMPLATES.hi, sms: '{{code}} आपका कोड है' },
  },
  named: { login: { en: { id: TEMPLATES.login, sms: 'Sign in with {{code}}' } } },
};
const MESSAGES = {
  brand: 'Acme',
  locale: 'en',
  named: { login: { en: { sms: '{{code}} signs you in.' } } },
  registered: { IN: REGISTERED },
  smsRetrieverHash: 'FA+9qCX9VSu',
  webOtpDomain: 'example.com',
};

const configOf = (carrier: object, messages: object = MESSAGES, channels: readonly string[] = ['sms']) =>
  JSON.stringify({
    carriers: { carrier },
    routes: channels.map((channel) => ({ channel, carriers: ['carrier'] })),
    messages,
  });

async function carrierOf(yaml: string) {
  const config = loadText(yaml);
  const carriers = await createCarriers(config, INERT);
  const carrier = carriers.find(({ name }) => name === 'carrier');
  assert.ok(carrier !== undefined);
  return { config, carrier };
}

type Built = Awaited<ReturnType<typeof carrierOf>>;

function messageTo(
  { config }: Built,
  country: string,
  channel: 'sms' | 'voice' = 'sms',
  wish: object = {},
): OutgoingMessage {
  const facts = { code: '482913', country, channel, validForMs: 600_000, wish };
  const destination = { address: NUMBERS[country] ?? '', kind: 'e164', country } as const;
  return { ...message, channel, destination, ...composeMessage(config.messages, facts) };
}

suite('senders and registered texts of carriers behind HTTP', () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway();
    gateway.play(answer(200, {}));
  });
  after(() => gateway.close());

  async function send(built: Built, outgoing: OutgoingMessage): Promise<GatewayRequest> {
    await built.carrier.submit(outgoing, deadline());
    const request = gateway.requests.at(-1);
    assert.ok(request !== undefined);
    return request;
  }

  const inAccount = ({ registers }: SenderRig) => (registers === 'ids' ? {} : registers.inAccount);

  for (const rig of SENDER_RIGS) {
    const written = (sender: string) => (rig.plus ? sender : sender.replace('+', ''));
    const show = async (built: Built, country: string, wish?: object): Promise<Shown> =>
      rig.read(await send(built, messageTo(built, country, 'sms', wish)));

    test(`${rig.type}: the sender of the country, or the one for all others`, async () => {
      const options = rig.options(gateway.url, { senders: SENDERS, ...inAccount(rig) });
      const built = await carrierOf(configOf(options));
      for (const [country, sender] of [
        ['IN', SENDERS.IN],
        ['US', SENDERS.US],
        ['DE', SENDERS.default],
      ] as const) {
        assert.equal((await show(built, country)).sender, written(sender), country);
      }
      const { default: _, ...own } = SENDERS;
      const short = rig.options(gateway.url, { ...SHORT, senders: own, ...inAccount(rig) });
      const mixed = await carrierOf(configOf(short));
      assert.equal((await show(mixed, 'IN')).sender, SENDERS.IN);
      assert.equal((await show(mixed, 'DE')).sender, written(SHORT.from));
      const one = await carrierOf(configOf(rig.options(gateway.url, { ...SHORT, ...inAccount(rig) })));
      for (const country of ['IN', 'US', 'DE']) {
        assert.equal((await show(one, country)).sender, written(SHORT.from));
      }
      for (const each of [built, mixed, one]) await each.carrier.stop();
    });

    test(`${rig.type}: a text is sent as it is registered, with its ids if the request has fields`, async () => {
      const options = rig.options(gateway.url, { ...SHORT, ...inAccount(rig) });
      const built = await carrierOf(configOf(options));
      const ids = (template: string) => (rig.registers === 'ids' ? [ENTITY, template] : undefined);
      for (const [wish, text, template] of [
        [{}, '482913 is your Acme code, valid for 10 minutes. - ACMEIN', TEMPLATES.en],
        [{ locale: 'hi-IN' }, '482913 आपका कोड है', TEMPLATES.hi],
        [{ locale: 'fr' }, '482913 is your Acme code, valid for 10 minutes. - ACMEIN', TEMPLATES.en],
        [
          { appHash: 'AAAAAAAAAAA' },
          '482913 is your Acme code, valid for 10 minutes. - ACMEIN',
          TEMPLATES.en,
        ],
        [{ template: 'login', locale: 'hi' }, 'Sign in with 482913', TEMPLATES.login],
      ] as const) {
        const shown = await show(built, 'IN', wish);
        assert.deepEqual([shown.text, shown.ids], [text, ids(template)], JSON.stringify(wish));
      }
      const elsewhere = await show(built, 'DE');
      assert.equal(elsewhere.ids, undefined);
      assert.match(elsewhere.text ?? '', /^482913 .*\n@example\.com #482913$/s);
      await built.carrier.stop();
    });

    const { readCaller } = rig;
    test(`${rig.type}: the caller ID of the country`, { skip: readCaller === undefined }, async () => {
      const options = rig.options(gateway.url, { ...SHORT, ...inAccount(rig) }, { senders: CALLERS });
      const built = await carrierOf(configOf(options, MESSAGES, ['sms', 'voice']));
      for (const [country, caller] of [
        ['IN', CALLERS.IN],
        ['DE', CALLERS.default],
      ] as const) {
        const request = await send(built, messageTo(built, country, 'voice', { locale: 'en' }));
        assert.equal(readCaller?.(request), written(caller));
        assert.ok(!request.body.includes('ACMEIN'), 'a call is not bound to the registered texts');
      }
      await built.carrier.stop();
    });

    test(`${rig.type}: what is no sender, or none for all countries, is refused`, () => {
      const problem = (sender: object) =>
        findProblem(configOf(rig.options('https://example.com', sender), {}));
      const [group, short] = rig.type === 'http' ? ['', 'sender'] : ['sms.', 'from'];
      const at = (option: string) => new RegExp(`^carriers\\.carrier\\.${group}${option}: `);
      for (const wrong of [
        '',
        'Twelve chars',
        '+0123456789',
        '+',
        '1234567890123456',
        'Zażółć',
        '12 34',
        'A\nB',
      ]) {
        assert.match(problem({ senders: { DE: wrong, default: 'Acme' } }), at('senders\\.DE'), wrong);
        assert.match(problem({ from: wrong }), at(short), wrong);
      }
      assert.match(problem({ senders: { UK: 'Acme', default: 'Acme' } }), /senders\.UK: UK is not a country/);
      assert.match(problem({ senders: { uk: 'Acme', default: 'Acme' } }), at('senders\\.uk'));
      assert.match(problem({ senders: { DE: 'Acme' } }), at(short));
      assert.match(problem({ from: 'A', senders: { default: 'B' } }), at('senders\\.default'));
      assert.match(problem({}), rig.type === 'http' ? /\{\{sender\}\} is used but not set/ : at('from'));
      for (const right of ['A', 'Acme', 'Acme-24', '12345', '+4915112345678', '4915112345678']) {
        loadText(configOf(rig.options('https://example.com', { from: right }), {}));
      }
    });

    test(`${rig.type}: ids that it has no fields for are refused, naming it and the fix`, () => {
      const problemsOf = (carrier: object, registered: object) =>
        findProblems(configOf(carrier, { registered }));
      const plain = rig.options('https://example.com', { from: '12345' });
      const problems = problemsOf(plain, { IN: { ...REGISTERED, named: {} } });
      if (rig.registers === 'ids') assert.deepEqual(problems, []);
      else {
        assert.equal(problems.length, 1);
        const { key, wrong, expected, fix } = problems[0] ?? {};
        assert.equal(key, 'carriers.carrier');
        assert.match(
          wrong ?? '',
          new RegExp(`^${rig.type} has no field for the ids of messages\\.registered\\.IN`),
        );
        assert.match(expected ?? '', /smpp, vonage, infobip, aws, http with \{\{templateId\}\}$/);
        assert.match(fix ?? '', /^route IN over others, or set sms\.templatesInAccount: true/);
      }
      const arranged = rig.options('https://example.com', { from: '12345', ...inAccount(rig) });
      assert.deepEqual(problemsOf(arranged, { IN: { ...REGISTERED, named: {} } }), []);
      const { entity: _, ...wordsOnly } = { ...REGISTERED, named: {}, texts: { en: { sms: '{{code}}' } } };
      assert.deepEqual(problemsOf(plain, { IN: wordsOnly }), [], 'without ids there is nothing to pass on');
      const elsewhere = problemsOf(plain, { BD: { ...REGISTERED, named: {} } });
      assert.equal(elsewhere.length, rig.type === 'http' ? 0 : 1, 'only India has fields');
    });
  }
});

test('an http carrier without a place for the ids is refused, or has the texts in the account', () => {
  const carrier = { type: 'http', url: 'https://example.com', json: ['{{to}}', '{{text}}'] };
  const messages = { registered: { IN: { ...REGISTERED, named: {} } } };
  assert.match(
    findProblem(configOf(carrier, messages)),
    /^carriers\.carrier: http has no field .* or set templatesInAccount: true/,
  );
  loadText(configOf({ ...carrier, templatesInAccount: true }, messages));
});

suite('senders and registered texts over SMPP', () => {
  const smscOptions = (port: number) => ({
    ...{ type: 'smpp', host: '127.0.0.1', port, systemId: 'u', password: 'p', receipts: false },
  });

  async function sendAll(options: object, outgoing: (built: Built) => OutgoingMessage[]) {
    await using smsc = await new Smsc({}).start();
    const built = await carrierOf(configOf({ ...smscOptions(smsc.port), ...options }));
    built.carrier.start();
    await bound(built.carrier);
    try {
      for (const each of outgoing(built)) {
        assert.equal((await built.carrier.submit(each, deadline())).kind, 'accepted');
      }
    } finally {
      await built.carrier.stop();
    }
    return smsc.seen;
  }

  test('the sender of the country, with its type', async () => {
    const seen = await sendAll({ senders: SENDERS, sourceTon: 0 }, (built) =>
      ['IN', 'US', 'DE'].map((country) => messageTo(built, country)),
    );
    assert.deepEqual(
      seen.map(({ from, sourceTon }) => [from, sourceTon]),
      [
        ['ACMEIN', 5],
        ['12025550199', 1],
        ['Acme', 0],
      ],
      'a type that is configured is that of the sender for all others',
    );
  });

  test('ids and free parameters, in each part of a long text', async () => {
    const tlvs = [
      { tag: 0x1402, text: 'hash-of-the-chain', countries: ['IN'] },
      { tag: 0x1403, hex: '00ff' },
    ];
    const seen = await sendAll({ source: '12345', tlvs }, (built) => [
      messageTo(built, 'IN'),
      messageTo(built, 'DE'),
      { ...messageTo(built, 'IN'), text: 'x'.repeat(300) },
    ]);
    const everywhere = [0x1403, '00ff'] as const;
    const indian = [
      [0x1400, Buffer.from(ENTITY).toString('hex')],
      [0x1401, Buffer.from(TEMPLATES.en).toString('hex')],
      [0x1402, Buffer.from('hash-of-the-chain').toString('hex')],
      everywhere,
    ];
    assert.deepEqual(
      seen.map(({ vendor }) => [...vendor]),
      [indian, [everywhere], indian, indian],
    );
    assert.equal(seen[0]?.text, '482913 is your Acme code, valid for 10 minutes. - ACMEIN');
  });

  test('other tags for the ids', async () => {
    const registrationTags = { entity: 0x1501, template: 0x1500 };
    const seen = await sendAll({ source: '12345', registrationTags }, (built) => [messageTo(built, 'IN')]);
    assert.deepEqual([...(seen[0]?.vendor.keys() ?? [])], [0x1500, 0x1501]);
  });

  test('ids that SMPP 3.3 has no parameters for are refused, naming the version', () => {
    const old = { ...smscOptions(2775), source: '12345', bind: 'separate', interfaceVersion: 0x33 };
    const problem = (country: string) =>
      findProblem(configOf(old, { registered: { [country]: { ...REGISTERED, named: {} } } }));
    assert.match(
      problem('IN'),
      /^carriers\.carrier: smpp without interfaceVersion: 0x34 has no field .*; route IN over others, or set interfaceVersion: 0x34$/,
    );
    assert.match(problem('BD'), /^carriers\.carrier: smpp has no field .*; route BD over others$/);
  });

  test('nothing configured, nothing added', async () => {
    const seen = await sendAll({ source: '12345' }, (built) => [messageTo(built, 'DE')]);
    assert.deepEqual([...(seen[0]?.vendor ?? [])], []);
  });

  test('what contradicts the message, or itself, is refused', () => {
    const problem = (options: object) =>
      findProblem(configOf({ ...smscOptions(2775), source: '12345', ...options }, {}));
    for (const [options, wrong] of [
      [{ tlvs: [{ tag: 0x1402 }] }, /tlvs\[0\]: needs either text or hex/],
      [{ tlvs: [{ tag: 0x1402, text: 'a', hex: '00' }] }, /tlvs\[0\]: needs either text or hex/],
      [{ tlvs: [{ tag: 0x1402, hex: '0' }] }, /tlvs\[0\]\.hex: /],
      [{ tlvs: [{ tag: 9, hex: '00', countries: ['UK'] }] }, /tlvs\[0\]\.countries: UK is not a country/],
      [{ tlvs: [{ tag: 0x1400, text: 'a' }] }, /tlvs\[0\]\.tag: 0x1400 is there twice/],
      [
        {
          tlvs: [
            { tag: 9, text: 'a' },
            { tag: 9, text: 'b' },
          ],
        },
        /tlvs\[1\]\.tag: 0x0009 is there twice/,
      ],
      [{ tlvs: [{ tag: 0x0424, text: 'a' }] }, /tlvs\[0\]\.tag: 0x0424 is a part of the message/],
      [{ registrationTags: { entity: 0x020c } }, /registrationTags\.entity: 0x020c is a part/],
      [{ registrationTags: { entity: 0x1401 } }, /registrationTags\.template: is the same as entity/],
      [{ source: 'Acmé' }, /source: /],
      [{ source: 'Acme[1]' }, /source: /],
      [{ source: undefined }, /source: is missing/],
      [{ senders: { default: 'Acme' } }, /senders\.default: is set together with source/],
    ] as const) {
      assert.match(problem(options), wrong);
    }
  });
});

test('every type that sends SMS to telephones is in this table', () => {
  const sending = CARRIER_TYPES.filter(({ registering }) => registering !== undefined);
  const names = sending.map(({ options }) => options.properties.type.const).filter((name) => name !== 'smpp');
  assert.deepEqual(names.toSorted(), SENDER_RIGS.map(({ type }) => type).toSorted());
});

test('a name may have the accented letters of the GSM alphabet where a gateway decides about it', () => {
  const carrier = { type: 'http', url: 'https://example.com', json: ['{{to}}', '{{text}}', '{{sender}}'] };
  for (const sender of ['Acmé', 'Ærø', 'ΔΩ 24', 'ñandú'.replace('ú', 'ù')]) {
    loadText(configOf({ ...carrier, ...renamed({ from: sender }, 'sender') }, {}));
  }
});
