/** What the configuration says of a carrier of type `asterisk`. */
import Type from 'typebox';
import { carrierOptions, duration, group, insecure, secret } from '../../options/fields.ts';
import { englishFallback } from '../gateway/options.ts';

const endpoint = { pattern: '^[A-Za-z0-9_.-]{1,79}$', expected: 'the name of a PJSIP endpoint' };

const speech = group(
  'A program that speaks what Asterisk has no recordings of: the sentence around the code, and the code in other languages. Without it a call says nothing but the code.',
  {
    folder: Type.String({
      minLength: 1,
      description: 'Folder for the sounds that are made, one file a word. Asterisk must be able to read it.',
    }),
    folderInAsterisk: Type.Optional(
      Type.String({
        pattern: '^/[^,]*$',
        expected: 'an absolute path without commas',
        description: 'Path of the same folder as Asterisk sees it, where that differs.',
      }),
    ),
    command: Type.Array(Type.String({ description: 'The program, or one of its arguments.' }), {
      minItems: 1,
      default: ['espeak-ng', '-v', '{{voice}}', '-s', '140', '-w', '{{file}}', '--', '{{text}}'],
      description:
        'Program that speaks one word or phrase, run without a shell. `{{text}}` is what to say, `{{locale}}` its language, `{{voice}}` the voice for it. Writes a WAV file (PCM, 16 bit) to `{{file}}`, or to standard output where no argument holds that.',
    }),
    voices: Type.Record(
      Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', expected: 'a language tag' }),
      Type.String({ minLength: 1, description: 'Name of a voice.' }),
      {
        default: { 'pt-BR': 'pt-br', 'sr-Latn': 'sr', 'zh-Hans': 'cmn', 'zh-Hant': 'cmn' },
        description: 'The value of `{{voice}}` by language, where it is not the language itself.',
      },
    ),
  },
);

export const asteriskOptions = carrierOptions(
  'asterisk',
  'Voice calls through an Asterisk of your own (ARI).',
  {
    url: Type.String({
      pattern: '^https?://[^/?#@]+(/[^?#@]*)?$',
      expected: 'an address such as http://127.0.0.1:8088',
      description: "Address of Asterisk's HTTP server, without `/ari`.",
    }),
    insecure: insecure('the password, the number and the sounds that say the code'),
    user: Type.String({ pattern: '^[!-9;-~]+$', description: 'User of `ari.conf`.' }),
    password: secret({ description: 'Its password.' }),
    trunk: Type.String({ ...endpoint, description: 'PJSIP endpoint by which telephone numbers are called.' }),
    number: Type.String({
      pattern: '^[0-9A-Za-z*#+]{0,20}\\{\\{to(Digits)?\\}\\}$',
      expected: '{{to}} or {{toDigits}}, with a prefix if the carrier wants one',
      default: '{{toDigits}}',
      description: 'How the trunk wants numbers: `{{toDigits}}`, `{{to}}` (with plus), `00{{toDigits}}`.',
    }),
    sipTrunk: Type.Optional(
      Type.String({
        ...endpoint,
        description: 'PJSIP endpoint by which SIP URIs are called. Without it none are.',
      }),
    ),
    callerId: Type.Optional(
      Type.String({
        pattern: '^[ -~]{1,80}$',
        description: 'Number shown on the telephone. Without it the call comes from `anonymous`.',
      }),
    ),
    ringTimeout: duration({
      atLeast: '1s',
      atMost: '2m',
      default: '30s',
      description: 'How long a telephone rings, counted from dialling.',
    }),
    extensionPause: duration({
      atLeast: '100ms',
      atMost: '1m',
      default: '5s',
      description: 'Wait after an extension was dialled, for somebody to pick up there.',
    }),
    repeats: Type.Integer({ minimum: 1, maximum: 5, default: 2, description: 'How often the code is said.' }),
    pause: Type.Integer({
      minimum: 0,
      maximum: 3,
      default: 1,
      description: 'Seconds of silence between the characters of a code.',
    }),
    calls: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 30,
      description: 'Calls at once: the channels that the trunk allows.',
    }),
    timeout: duration({
      atLeast: '10s',
      atMost: '10m',
      default: '2m',
      description: 'How long a call may take, ringing included; past it, it is hung up.',
    }),
    speech: Type.Optional(speech),
    englishFallback,
  },
);

export type AsteriskOptions = Type.StaticDecode<typeof asteriskOptions>;
export type SpeechOptions = NonNullable<AsteriskOptions['speech']>;

/** What saying a code takes after the longest ringing, at the least. */
const TALK_MS = 15_000;

/** What is wrong with options that are each acceptable: `option: fault`, or null. */
export function findFault({ timeout, ringTimeout }: AsteriskOptions): string | null {
  if (timeout >= ringTimeout + TALK_MS) return null;
  return `timeout: leaves less than ${TALK_MS / 1_000}s to talk after ringTimeout`;
}
