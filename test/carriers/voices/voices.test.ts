/** What people hear in every country with telephone numbers, with every carrier that has a table of voices. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { getCountries } from 'libphonenumber-js/max';
import { WORDINGS } from '../../../src/core/message/locales.ts';
import { composeMessage } from '../../../src/core/message/message.ts';
import type { OutgoingMessage } from '../../../src/core/sending/carrier.ts';
import { message } from '../contract.ts';
import { answer, type Gateway, startGateway } from '../gateway.ts';
import { UNHEARD } from '../ports.ts';
import { VOICE_RIGS, type VoiceRig } from './voice-rigs.ts';

const COUNTRIES = [...getCountries(), 'ZZ'];

/** Built-in languages that a carrier has no documented voice for. */
const LACKING: Readonly<Record<string, string>> = {
  aws: 'am az bg bn bs ca cs el et fa fi fil he hi hr hu hy id ka kk km lo lt lv mk mn mr ms my ne sk sl sq sr-Latn sw ta te th uk ur uz vi zh-Hant',
  infobip: 'am az bs et fa hy ka km lo lt lv mk mn my ne sq sr-Latn',
  sinch: 'am bg bn bs fa he hy kk km lo mk mn mr my ne sq sr-Latn sw ta te ur zh-Hant',
  telnyx: '',
  twilio: 'az bs et fa hr hy ka kk km lo mk mn my ne sl sq sw ur uz',
  vonage: 'am az bs et fa hr hy ka kk km lo lt mk mn mr my ne sl sq sw ur uz',
};

const PORTS = { ...UNHEARD };
/** Of each message, and not of the file. */
const deadline = () => ({ signal: AbortSignal.timeout(20_000) });

function callTo(country: string, locale?: string): OutgoingMessage {
  const facts = { code: message.code, country, channel: 'voice', validForMs: 600_000 } as const;
  const wording = composeMessage({ brand: 'Fish & Chips', ...(locale && { locale }) }, facts);
  return { ...message, channel: 'voice', ...wording };
}

const primary = (tag: string) => tag.split('-')[0];

async function withGateway(use: (gateway: Gateway) => Promise<void>): Promise<void> {
  const gateway = await startGateway();
  gateway.play(
    answer(200, {
      sid: 'r',
      MessageId: 'r',
      uuid: 'r',
      callId: 'r',
      messages: [{ messageId: 'r', status: { groupName: 'PENDING' } }],
    }),
  );
  try {
    await use(gateway);
  } finally {
    await gateway.close();
  }
}

/** Makes the call, and asserts that a documented voice speaks words of its own language. */
async function assertHeard(
  rig: VoiceRig,
  gateway: Gateway,
  call: OutgoingMessage,
  lacking: readonly string[],
) {
  const carrier = rig.create(gateway.url, PORTS);
  try {
    const before = gateway.requests.length;
    const outcome = await carrier.submit(call, deadline());
    assert.equal(outcome.kind, 'accepted', call.locale);
    assert.equal(gateway.requests.length, before + 1);
    const { text, language } = rig.hear(gateway.requests[before]?.body ?? '');
    const falls = lacking.includes(call.locale);
    assert.equal(text, falls ? call.english : call.text, call.locale);
    assert.equal(language, falls ? 'en' : primary(call.locale), call.locale);
    assert.equal(carrier.speaks?.(call.locale), falls ? 'in-english' : 'as-written');
  } finally {
    await carrier.stop();
  }
}

for (const rig of VOICE_RIGS) {
  suite(`voices of ${rig.name}`, () => {
    const lacking = (LACKING[rig.name] ?? '').split(' ');

    test('a call to every country is spoken by a documented voice, in the language of that voice', () =>
      withGateway(async (gateway) => {
        for (const country of COUNTRIES) await assertHeard(rig, gateway, callTo(country), lacking);
      }));

    test('so is a call in every language that we have words for', () =>
      withGateway(async (gateway) => {
        for (const locale of WORDINGS.keys()) await assertHeard(rig, gateway, callTo('ZZ', locale), lacking);
      }));

    test('without the fallback, a language without a voice is left to another carrier, and nothing is sent', () =>
      withGateway(async (gateway) => {
        const carrier = rig.create(gateway.url, PORTS, false);
        for (const locale of WORDINGS.keys()) {
          const falls = lacking.includes(locale);
          assert.equal(carrier.speaks?.(locale), falls ? 'not-at-all' : 'as-written');
          if (!falls) continue;
          const outcome = await carrier.submit(callTo('ZZ', locale), deadline());
          assert.deepEqual(outcome, { kind: 'permanent', reason: `no voice for ${locale}` });
        }
        assert.equal(gateway.requests.length, 0);
        await carrier.stop();
      }));
  });
}

test('a call in English because no voice speaks the language is reported to the operator once', () =>
  withGateway(async (gateway) => {
    const told: string[] = [];
    const [aws] = VOICE_RIGS;
    const carrier = aws?.create(gateway.url, {
      ...PORTS,
      log: (...event) => told.push(JSON.stringify(event)),
    });
    for (const country of ['BG', 'BG', 'DE', 'BG']) await carrier?.submit(callTo(country), deadline());
    await carrier?.stop();
    assert.deepEqual(told, ['["warn","no voice for bg; calls are made in English",{"carrier":"gateway"}]']);
  }));
