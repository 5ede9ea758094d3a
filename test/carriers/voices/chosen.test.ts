/** Voices that an operator chooses by language. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { suite, test } from 'node:test';
import { listVoices as listAwsVoices } from '../../../src/carriers/aws/named-voices.ts';
import { CARRIER_TYPES } from '../../../src/carriers/registry.ts';
import { listVoices as listTwilioVoices } from '../../../src/carriers/twilio/named-voices.ts';
import { findProblem, loadText } from '../../../src/config/fixture.ts';
import { typeOf } from '../../../src/options/carrier-type.ts';
import { message } from '../contract.ts';
import { answer, startGateway } from '../gateway.ts';
import { AWS_VOICES } from './documented-voices.ts';

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

const configOf = (options: object, voices: object, url?: string) =>
  JSON.stringify({
    carriers: { gateway: { ...options, url, voice: { from: '+12025550199', voices } } },
    routes: [{ channel: 'voice', carriers: ['gateway'] }],
  });

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

suite('a chosen voice', () => {
  /** What a call in a language is spoken by. */
  async function voiceOf(options: object, voices: object, locale: string): Promise<string | undefined> {
    const gateway = await startGateway();
    gateway.play(answer(200, { sid: 'r', MessageId: 'r' }));
    const { carriers } = loadText(configOf(options, voices, gateway.url));
    const written = carriers.gateway;
    assert.ok(written !== undefined);
    const ports = { receive: async () => {}, log: () => {} };
    const carrier = (await typeOf(CARRIER_TYPES, written).load()).create('gateway', written, ports);
    try {
      const call = { ...message, channel: 'voice' as const, locale };
      const outcome = await carrier.submit(call, { signal: AbortSignal.timeout(5_000) });
      assert.equal(outcome.kind, 'accepted');
      const body = gateway.requests[0]?.body ?? '';
      if (body.startsWith('{')) return JSON.parse(body).VoiceId;
      return / voice="([^"]*)"/.exec(new URLSearchParams(body).get('Twiml') ?? '')?.[1];
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
