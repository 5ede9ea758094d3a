/** The carriers with a table of voices: how to make each call, and what its request says in which voice. */
import { generateKeyPairSync } from 'node:crypto';
import { createAwsCarrier } from '../../../src/carriers/aws/carrier.ts';
import { awsOptions } from '../../../src/carriers/aws/options.ts';
import { createInfobipCarrier } from '../../../src/carriers/infobip/carrier.ts';
import { infobipOptions } from '../../../src/carriers/infobip/options.ts';
import { createSinchCarrier } from '../../../src/carriers/sinch/carrier.ts';
import { sinchOptions } from '../../../src/carriers/sinch/options.ts';
import { createTelnyxCarrier } from '../../../src/carriers/telnyx/carrier.ts';
import { telnyxOptions } from '../../../src/carriers/telnyx/options.ts';
import { createTwilioCarrier } from '../../../src/carriers/twilio/carrier.ts';
import { twilioOptions } from '../../../src/carriers/twilio/options.ts';
import { createVonageCarrier } from '../../../src/carriers/vonage/carrier.ts';
import { vonageOptions } from '../../../src/carriers/vonage/options.ts';
import type { Carrier, CarrierPorts } from '../../../src/core/sending/carrier.ts';
import { decodeOptions } from '../options.ts';
import {
  AWS_VOICES,
  INFOBIP_LANGUAGES,
  SINCH_LOCALES,
  TELNYX_LANGUAGES,
  TWILIO_GOOGLE_STANDARD_A,
  TWILIO_LANGUAGES,
  VONAGE_LANGUAGES,
} from './documented-voices.ts';

export interface Utterance {
  readonly text: string;
  /** Primary subtag of the language that the voice speaks; undefined for a voice that the carrier does not document. */
  readonly language: string | undefined;
}

export interface VoiceRig {
  readonly name: string;
  create(url: string, ports: CarrierPorts, englishFallback?: boolean): Carrier;
  /** What the body of a request asks to be spoken. */
  hear(body: string): Utterance;
}

const from = '+12025550199';
const ID = '01234567-89ab-cdef-0123-456789abcdef';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** Tags that carriers write differently. */
const PRIMARY: Readonly<Record<string, string>> = { arb: 'ar', cmn: 'zh', no: 'nb' };

function primary(tag: string | undefined): string | undefined {
  const [language = ''] = (tag ?? '').split('-');
  return PRIMARY[language] ?? (language || undefined);
}

function documented(list: ReadonlySet<string>, tag: string): string | undefined {
  return list.has(tag) ? primary(tag) : undefined;
}

function readEscaped(xml: string): string {
  return xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function readSay(xml: string): {
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
} {
  const [, attributes = '', text = ''] = /<Say((?: [a-z]+="[^"]*")*)>([^<]*)<\/Say>/.exec(xml) ?? [];
  const pairs = Array.from(attributes.matchAll(/ ([a-z]+)="([^"]*)"/g), ([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { text: readEscaped(text), attributes: Object.fromEntries(pairs) };
}

const GOOGLE = /^Google\.(.*)-Standard-A$/;
/** Microsoft's names: the language, the country and, in between, the script. */
const AZURE = /^Azure\.([a-z]{2,3})(?:-[A-Z][a-z]{3})?-[A-Z]{2}-[A-Za-z]+Neural$/;

function twilioLanguage({ voice, language }: Readonly<Record<string, string>>): string | undefined {
  if (voice === undefined) return documented(TWILIO_LANGUAGES, language ?? '');
  const [, named = ''] = GOOGLE.exec(voice) ?? [];
  if (language !== undefined && (language !== named || !TWILIO_LANGUAGES.has(language))) return undefined;
  return documented(TWILIO_GOOGLE_STANDARD_A, named);
}

function telnyxLanguage({ voice = '', language }: Readonly<Record<string, string>>): string | undefined {
  if (voice === 'alice') return documented(TELNYX_LANGUAGES, language ?? '');
  return language === undefined ? AZURE.exec(voice)?.[1] : undefined;
}

export const VOICE_RIGS: readonly VoiceRig[] = [
  {
    name: 'aws',
    create: (url, ports, englishFallback = true) =>
      createAwsCarrier(
        'gateway',
        decodeOptions(awsOptions, {
          type: 'aws',
          region: 'eu-central-1',
          accessKeyId: 'AKIDEXAMPLE0123456',
          secretAccessKey: 'secret',
          voice: { from, englishFallback },
          url,
        }),
        ports,
      ),
    hear(body) {
      const { MessageBody, VoiceId } = JSON.parse(body);
      return {
        text: readEscaped(
          MessageBody.replace(/^<speak><break time="1s"\/>|<break time="1s"\/><\/speak>$/g, ''),
        ),
        language: AWS_VOICES.get(VoiceId),
      };
    },
  },
  {
    name: 'infobip',
    create: (url, ports, englishFallback = true) =>
      createInfobipCarrier(
        'gateway',
        decodeOptions(infobipOptions, {
          type: 'infobip',
          url,
          apiKey: 'key',
          voice: { from, englishFallback },
        }),
        ports,
      ),
    hear(body) {
      const [{ text, language }] = JSON.parse(body).messages;
      return { text, language: documented(INFOBIP_LANGUAGES, language) };
    },
  },
  {
    name: 'sinch',
    create: (url, ports, englishFallback = true) =>
      createSinchCarrier(
        'gateway',
        decodeOptions(sinchOptions, {
          type: 'sinch',
          voice: { from, applicationKey: 'key', applicationSecret: 'secret', url, englishFallback },
        }),
        ports,
      ),
    hear(body) {
      const { text, locale } = JSON.parse(body).ttsCallout;
      return { text, language: documented(SINCH_LOCALES, locale) };
    },
  },
  {
    name: 'telnyx',
    create: (url, ports, englishFallback = true) =>
      createTelnyxCarrier(
        'gateway',
        decodeOptions(telnyxOptions, {
          type: 'telnyx',
          apiKey: 'key',
          voice: { from, accountId: ID, applicationId: '1', englishFallback },
          url,
        }),
        ports,
      ),
    hear(body) {
      const { text, attributes } = readSay(JSON.parse(body).Texml);
      return { text, language: telnyxLanguage(attributes) };
    },
  },
  {
    name: 'twilio',
    create: (url, ports, englishFallback = true) =>
      createTwilioCarrier(
        'gateway',
        decodeOptions(twilioOptions, {
          type: 'twilio',
          accountSid: `AC${'0'.repeat(32)}`,
          authToken: 'token',
          voice: { from, englishFallback },
          url,
        }),
        ports,
      ),
    hear(body) {
      const { text, attributes } = readSay(new URLSearchParams(body).get('Twiml') ?? '');
      return { text, language: twilioLanguage(attributes) };
    },
  },
  {
    name: 'vonage',
    create: (url, ports, englishFallback = true) =>
      createVonageCarrier(
        'gateway',
        decodeOptions(vonageOptions, {
          type: 'vonage',
          apiKey: 'abcd1234',
          apiSecret: 'secret',
          voice: { from, applicationId: ID, privateKey, url, englishFallback },
        }),
        ports,
      ),
    hear(body) {
      const { text, language } = JSON.parse(body).ncco[1];
      return { text, language: documented(VONAGE_LANGUAGES, language) };
    },
  },
];
