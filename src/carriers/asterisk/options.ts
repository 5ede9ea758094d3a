/** The options of a carrier of type `asterisk`. */
import Type from 'typebox';
import { carrierOptions, duration, group, insecure, secret } from '../../options/fields.ts';
import { englishFallback } from '../gateway/options.ts';

const endpoint = { pattern: '^[A-Za-z0-9_.-]{1,79}$', expected: 'the name of a PJSIP endpoint' };

const speech = group(
  'A program that speaks what Asterisk has no recordings of: the sentence around the code, and the code in other languages. Without it a call says only the code.',
  {
    folder: Type.String({
      minLength: 1,
      description:
        'Folder for the sounds that the command makes, one file per word. Asterisk must be able to read it.',
    }),
    folderInAsterisk: Type.Optional(
      Type.String({
        pattern: '^/[^,]*$',
        expected: 'an absolute path without commas',
        description: 'Path of the same folder on the Asterisk machine, if it differs.',
      }),
    ),
    command: Type.Array(Type.String({ description: 'The program, or one of its arguments.' }), {
      minItems: 1,
      default: ['espeak-ng', '-v', '{{voice}}', '-s', '140', '-w', '{{file}}', '--', '{{text}}'],
      description:
        'Program that speaks one word or phrase, run without a shell. `{{text}}` is what to say, `{{locale}}` its language, `{{voice}}` the voice for it. The program writes a WAV file (PCM, 16 bit) to `{{file}}`, or to standard output if no argument contains `{{file}}`.',
    }),
    voices: Type.Record(
      Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', expected: 'a language tag' }),
      Type.String({ minLength: 1, description: 'Name of a voice.' }),
      {
        default: { 'pt-BR': 'pt-br', 'sr-Latn': 'sr', 'zh-Hans': 'cmn', 'zh-Hant': 'cmn' },
        description: 'The value of `{{voice}}` by language, if it is not the language itself.',
      },
    ),
  },
);

export const asteriskOptions = carrierOptions('asterisk', 'Voice calls through your own Asterisk (ARI).', {
  url: Type.String({
    pattern: '^https?://[^/?#@]+(/[^?#@]*)?$',
    expected: 'an address such as http://127.0.0.1:8088',
    description: "Address of Asterisk's HTTP server, without `/ari`.",
  }),
  insecure: insecure('the password, the number and the sounds of the code'),
  user: Type.String({ pattern: '^[!-9;-~]+$', description: 'User in `ari.conf`.' }),
  password: secret({ description: 'Its password.' }),
  trunk: Type.String({ ...endpoint, description: 'PJSIP endpoint for calls to telephone numbers.' }),
  number: Type.String({
    pattern: '^[0-9A-Za-z*#+]{0,20}\\{\\{to(Digits)?\\}\\}$',
    expected: '{{to}} or {{toDigits}}, with a prefix if the carrier wants one',
    default: '{{toDigits}}',
    description: 'How the trunk expects numbers: `{{toDigits}}`, `{{to}}` (with plus), `00{{toDigits}}`.',
  }),
  sipTrunk: Type.Optional(
    Type.String({
      ...endpoint,
      description: 'PJSIP endpoint for calls to SIP URIs. Without it they are not called.',
    }),
  ),
  callerId: Type.Optional(
    Type.String({
      pattern: '^[ -~]{1,80}$',
      description: 'Caller ID of calls. Without it they come from `anonymous`.',
    }),
  ),
  ringTimeout: duration({
    atLeast: '1s',
    atMost: '2m',
    default: '30s',
    description: 'How long the telephone rings, counted from dialling.',
  }),
  extensionPause: duration({
    atLeast: '100ms',
    atMost: '1m',
    default: '5s',
    description: 'Wait after dialling an extension, so that somebody can pick up.',
  }),
  repeats: Type.Integer({
    minimum: 1,
    maximum: 5,
    default: 2,
    description: 'How many times the code is said.',
  }),
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
    description: 'Maximum number of calls at once: the channels that the trunk allows.',
  }),
  timeout: duration({
    atLeast: '10s',
    atMost: '10m',
    default: '2m',
    description: 'How long a call may take, including ringing. Longer calls are hung up.',
  }),
  speech: Type.Optional(speech),
  englishFallback,
});

export type AsteriskOptions = Type.StaticDecode<typeof asteriskOptions>;
export type SpeechOptions = NonNullable<AsteriskOptions['speech']>;

/** The least time for saying a code after the longest ringing. */
const TALK_MS = 15_000;

/** What is wrong with the combination of options that are each acceptable: `option: fault`, or null. */
export function findFault({ timeout, ringTimeout }: AsteriskOptions): string | null {
  if (timeout >= ringTimeout + TALK_MS) return null;
  return `timeout: leaves less than ${TALK_MS / 1_000}s to talk after ringTimeout`;
}
