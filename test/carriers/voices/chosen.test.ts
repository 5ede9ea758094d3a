/** Voices that an operator chooses by language. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { suite, test } from 'node:test';
import { CARRIER_TYPES } from '../../../src/carriers/all-types.ts';
import { listVoices as listAwsVoices } from '../../../src/carriers/aws/named-voices.ts';
import { listVoices as listSinchVoices } from '../../../src/carriers/sinch/named-voices.ts';
import { listVoices as listTelnyxVoices } from '../../../src/carriers/telnyx/named-voices.ts';
import { listVoices as listTwilioVoices } from '../../../src/carriers/twilio/named-voices.ts';
import { listVoices as listVonageVoices } from '../../../src/carriers/vonage/named-voices.ts';
import { findProblem, loadText } from '../../../src/config/fixture.ts';
import { typeOf } from '../../../src/options/carrier-type.ts';
import { message } from '../contract.ts';
import { answer, startGateway } from '../gateway.ts';
import { UNHEARD } from '../ports.ts';
import { AWS_VOICES, SINCH_LOCALES, SINCH_VOICES, VONAGE_LANGUAGES } from './documented-voices.ts';

const TWILIO = {
  type: 'twilio',
  accountSid: 'AC0123456789abcdef0123456789abcdef',
  authToken: 'a-token-of-twilio',
};
const AWS = {
  type: 'aws',
  region: 'eu-central-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'a-secret-of-aws',
};

const ID = '01234567-89ab-cdef-0123-456789abcdef';
const TELNYX = { type: 'telnyx', apiKey: 'a-key-of-telnyx' };
const VONAGE = { type: 'vonage', apiKey: 'abcd1234', apiSecret: 'a-secret-of-vonage' };
const SINCH = { type: 'sinch' };
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** What else each type wants for calls; some have the address of their API there. */
const voiceOptions = ({ type }: { readonly type: string }, url?: string): object =>
  ({
    telnyx: { accountId: ID, applicationId: '1234' },
    vonage: { applicationId: ID, privateKey, url },
    sinch: { applicationKey: 'key', applicationSecret: 'a-secret-of-sinch', url },
  })[type] ?? {};

function configOf(options: { readonly type: string }, voices: object, url?: string): string {
  const own = voiceOptions(options, url);
  const voice = { from: '+12025550199', voices, ...own };
  const address = 'url' in own ? {} : { url };
  return JSON.stringify({
    carriers: { gateway: { ...options, ...address, voice } },
    routes: [{ channel: 'voice', carriers: ['gateway'] }],
  });
}

/** What the body of a call says that it is spoken by. */
function spokenBy(body: string): unknown {
  if (!body.startsWith('{'))
    return / voice="([^"]*)"/.exec(new URLSearchParams(body).get('Twiml') ?? '')?.[1];
  const call = JSON.parse(body);
  if (call.Texml !== undefined) return / voice="([^"]*)"/.exec(call.Texml)?.[1];
  return call.VoiceId ?? call.ttsCallout?.locale ?? [call.ncco[1].language, call.ncco[1].style];
}

test('the voices of Twilio are those that its own library names', async () => {
  const types = createRequire(import.meta.url).resolve('twilio/lib/twiml/VoiceResponse.d.ts');
  const [, union = ''] = /type SayVoice = ([^;]*);/.exec(await readFile(types, 'utf8')) ?? [];
  const named = Array.from(union.matchAll(/"([^"]+)"/g), ([, name = '']) => name);
  assert.ok(named.length > 800);
  const own = named.filter((name) => !['man', 'woman', 'alice'].includes(name));
  assert.deepEqual([...listTwilioVoices().keys()].toSorted(), own.toSorted());
  for (const [name, language] of listTwilioVoices()) {
    const [, written] = /^Google\.([a-z]+)-/.exec(name) ?? [];
    if (written !== undefined) assert.equal(language, written === 'cmn' ? 'zh' : written, name);
  }
});

test('the voices of AWS are those that it documents', () => {
  assert.deepEqual(new Map([...listAwsVoices()].toSorted()), new Map([...AWS_VOICES].toSorted()));
});

test('the voices of Sinch are those that its own library names, each after its locale', () => {
  const expected = new Map<string, string>();
  let language = '';
  for (const name of SINCH_VOICES) {
    const [locale = ''] = name.split('/');
    if (SINCH_LOCALES.has(locale)) {
      const [subtag = ''] = locale.split('-');
      language = { arb: 'ar', cmn: 'zh', zh: 'yue' }[subtag] ?? subtag;
    }
    if (!expected.has(name)) expected.set(name, language);
  }
  assert.deepEqual(new Map([...listSinchVoices()].toSorted()), new Map([...expected].toSorted()));
});

test('the voices of Vonage are of languages that its own library names, and those of Azure say theirs', () => {
  for (const voice of listVonageVoices().keys()) {
    const [language = '', style] = voice.split('/');
    assert.ok(VONAGE_LANGUAGES.has(language) && Number(style) >= 0, voice);
  }
  for (const [voice, language] of listTelnyxVoices()) {
    const [, written] = /^Azure\.([a-z]{2,3})-([A-Z][a-z]{3}-)?[A-Z]{2}-[A-Z]\w+Neural$/.exec(voice) ?? [];
    assert.equal(language, voice.startsWith('Azure.zh-HK') ? 'yue' : written, voice);
  }
});

suite('a chosen voice', () => {
  /** What a call in a language is spoken by. */
  async function voiceOf(
    options: { readonly type: string },
    voices: object,
    locale: string,
  ): Promise<unknown> {
    const gateway = await startGateway();
    gateway.play(answer(200, { sid: 'r', MessageId: 'r', uuid: 'r', callId: 'r' }));
    const { carriers } = loadText(configOf(options, voices, gateway.url));
    const written = carriers.gateway;
    assert.ok(written !== undefined);
    const ports = { ...UNHEARD };
    const carrier = (await typeOf(CARRIER_TYPES, written).load()).create('gateway', written, ports);
    try {
      const call = { ...message, channel: 'voice' as const, locale };
      const outcome = await carrier.submit(call, { signal: AbortSignal.timeout(5_000) });
      assert.equal(outcome.kind, 'accepted');
      return spokenBy(gateway.requests[0]?.body ?? '');
    } finally {
      await carrier.stop();
      await gateway.close();
    }
  }

  test('speaks its language and no other', async () => {
    const voices = { de: 'Polly.Vicki-Neural', 'pt-BR': 'Google.pt-BR-Wavenet-B', en: 'Polly.Joanna' };
    assert.equal(await voiceOf(TWILIO, voices, 'de'), 'Polly.Vicki-Neural');
    assert.equal(await voiceOf(TWILIO, voices, 'pt-BR'), 'Google.pt-BR-Wavenet-B');
    assert.equal(await voiceOf(TWILIO, voices, 'en'), 'Polly.Joanna');
    assert.equal(await voiceOf(TWILIO, voices, 'fr'), undefined, 'the basic voice');
    assert.equal(await voiceOf(AWS, { de: 'HANS' }, 'de'), 'HANS');
    assert.equal(await voiceOf(AWS, { de: 'HANS' }, 'fr'), 'LEA');
    const katja = 'Azure.de-DE-KatjaNeural';
    assert.equal(await voiceOf(TELNYX, { de: katja }, 'de'), katja);
    assert.equal(await voiceOf(TELNYX, { de: katja }, 'fr'), 'alice');
    assert.deepEqual(await voiceOf(VONAGE, { de: 'de-DE/3', fr: 'fr-CA/0' }, 'de'), ['de-DE', 3]);
    assert.deepEqual(await voiceOf(VONAGE, { de: 'de-DE/3', fr: 'fr-CA/0' }, 'fr'), ['fr-CA', 0]);
    assert.deepEqual(await voiceOf(VONAGE, { de: 'de-DE/3' }, 'it'), ['it-IT', undefined]);
    assert.equal(await voiceOf(SINCH, { de: 'Vicki', it: 'it-IT/male' }, 'de'), 'Vicki');
    assert.equal(await voiceOf(SINCH, { de: 'Vicki', it: 'it-IT/male' }, 'it'), 'it-IT/male');
    assert.equal(await voiceOf(SINCH, { de: 'Vicki' }, 'fr'), 'fr-FR');
  });

  test('of a language speaks it in all regions, unless one has a voice of its own', async () => {
    const voices = { es: 'es-ES/2', 'es-MX': 'es-MX/0', zh: 'cmn-CN/4' };
    assert.deepEqual(await voiceOf(VONAGE, voices, 'es-US'), ['es-ES', 2]);
    assert.deepEqual(await voiceOf(VONAGE, voices, 'es-MX'), ['es-MX', 0]);
    assert.deepEqual(await voiceOf(VONAGE, voices, 'zh-Hans'), ['cmn-CN', 4]);
    assert.deepEqual(await voiceOf(VONAGE, { 'en-GB': 'en-GB/7' }, 'en'), ['en-US', undefined]);
  });

  test('speaks a language that has no usual voice', async () => {
    assert.equal(await voiceOf(TWILIO, { gu: 'Google.gu-IN-Standard-A' }, 'gu'), 'Google.gu-IN-Standard-A');
  });

  test('is refused if the carrier has none of that name, with those that it has', () => {
    assert.match(
      findProblem(configOf(AWS, { de: 'Vicki' })),
      /^carriers\.gateway\.voice\.voices\.de: Vicki is no voice of this carrier; there is HANS, MARLENE, VICKI/,
    );
    assert.match(
      findProblem(configOf(TWILIO, { cy: 'alice' })),
      /voices\.cy: alice is no voice of this carrier; there is Polly\.Gwyneth/,
    );
  });

  test('is refused at every carrier that has a list, which may be long', () => {
    assert.match(
      findProblem(configOf(TELNYX, { de: 'Katja' })),
      /voices\.de: Katja is no voice .* Azure\.de-AT-/,
    );
    assert.match(
      findProblem(configOf(TELNYX, { en: 'Katja' })),
      /voices\.en: Katja is no voice .* and \d+ more/,
    );
    assert.match(
      findProblem(configOf(VONAGE, { de: 'de-DE/7' })),
      /voices\.de: de-DE\/7 is no voice .* de-DE\/0/,
    );
    assert.match(
      findProblem(configOf(SINCH, { fr: 'Vicki' })),
      /voices\.fr: Vicki speaks de; there is fr-FR/,
    );
  });

  test('is refused if it speaks another language', () => {
    assert.match(
      findProblem(configOf(AWS, { fr: 'VICKI' })),
      /voices\.fr: VICKI speaks de; there is CELINE, CHANTAL, LEA, MATHIEU/,
    );
    assert.match(
      findProblem(configOf(AWS, { bg: 'VICKI' })),
      /voices\.bg: VICKI speaks de; it has none that speaks bg/,
    );
    assert.match(
      findProblem(configOf(AWS, { german: 'VICKI' })),
      /voices\.german is not a valid name|german/,
    );
  });
});
