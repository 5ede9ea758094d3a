/** The options of a carrier of type `asterisk`. */
import Type from 'typebox';
import type { CarrierType } from '../../options/carrier-type.ts';
import { address, carrierOptions, duration, group, insecure, secret, text } from '../../options/fields.ts';
import { sendersByCountry } from '../../options/senders.ts';
import { englishFallback } from '../gateway/options.ts';
import { findBlockFault } from './number-blocks.ts';

const callerId = text('Caller ID of calls. Without it they come from `anonymous`.', {
  pattern: '^[ -~]{1,80}$',
  expected: '1 to 80 ASCII characters',
});

const endpoint = { pattern: '^[A-Za-z0-9_.-]{1,79}$', expected: 'the name of a PJSIP endpoint' };

const speech = group(
  'A program that speaks what Asterisk has no recordings of: the sentence around the code, and the code in other languages. Without it a call says only the code.',
  {
    folder: text(
      'Folder for the sounds that the command makes, one file per word. Asterisk must be able to read it.',
      { minLength: 1 },
    ),
    folderInAsterisk: Type.Optional(
      text('Path of the same folder on the Asterisk machine, if it differs.', {
        pattern: '^/[^,]*$',
        expected: 'an absolute path without commas',
      }),
    ),
    command: Type.Array(text('The program, or one of its arguments.'), {
      minItems: 1,
      default: ['espeak-ng', '-v', '{{voice}}', '-s', '140', '-w', '{{file}}', '--', '{{text}}'],
      description:
        'Program that speaks one word or phrase, run without a shell. `{{text}}` is what to say, `{{locale}}` its language, `{{voice}}` the voice for it. The program writes a WAV file (PCM, 16 bit) to `{{file}}`, or to standard output if no argument contains `{{file}}`.',
    }),
    voices: Type.Record(
      Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$' }),
      text('Name of a voice.', { minLength: 1 }),
      {
        names: 'language',
        default: { 'pt-BR': 'pt-br', 'sr-Latn': 'sr', 'zh-Hans': 'cmn', 'zh-Hant': 'cmn' },
        description: 'The value of `{{voice}}` by language, if it is not the language itself.',
      },
    ),
  },
);

const flashcall = group(
  'Missed calls (`flashcall`): the telephone rings, nobody is to answer, and the code is the end of the number that called. See docs/flashcall.md.',
  {
    numbers: Type.Array(
      text('A block, with `x` for each digit that is free.', {
        pattern: '^\\+[1-9][0-9]*x+$',
        expected: 'a whole block of numbers such as "+4930123xxxx"',
      }),
      {
        minItems: 1,
        description:
          'Numbers that calls come from: whole blocks that your trunk may present, with at least as many free digits as `code.endingLength`.',
      },
    ),
    presented: text(
      'How the trunk expects the number of the caller: `{{from}}` (with plus), `{{fromDigits}}`, `00{{fromDigits}}`.',
      {
        pattern: '^[0-9A-Za-z*#+]{0,20}\\{\\{from(Digits)?\\}\\}$',
        expected: '{{from}} or {{fromDigits}}, with a prefix if the carrier wants one',
        default: '{{from}}',
      },
    ),
    ring: duration('How long the telephone rings, counted from its first ringing.', ['2s', '12s'], '5s'),
  },
);

export const asteriskOptions = carrierOptions('asterisk', 'Voice calls through your own Asterisk (ARI).', {
  url: address("Address of Asterisk's HTTP server, without `/ari`.", {
    pattern: '^https?://[^/?#@]+(/[^?#@]*)?$',
    expected: 'an address such as http://127.0.0.1:8088',
  }),
  insecure: insecure('the password, the number and the sounds of the code'),
  user: text('User in `ari.conf`.', {
    pattern: '^[!-9;-~]+$',
    expected: 'ASCII characters without spaces and colons',
  }),
  password: secret('Its password.'),
  trunk: text('PJSIP endpoint for calls to telephone numbers.', endpoint),
  number: text('How the trunk expects numbers: `{{toDigits}}`, `{{to}}` (with plus), `00{{toDigits}}`.', {
    pattern: '^[0-9A-Za-z*#+]{0,20}\\{\\{to(Digits)?\\}\\}$',
    expected: '{{to}} or {{toDigits}}, with a prefix if the carrier wants one',
    default: '{{toDigits}}',
  }),
  sipTrunk: Type.Optional(
    text('PJSIP endpoint for calls to SIP URIs. Without it they are not called.', endpoint),
  ),
  callerId: Type.Optional(callerId),
  senders: sendersByCountry('callerId', callerId),
  flashcall: Type.Optional(flashcall),
  ringTimeout: duration(
    'How long the telephone rings, counted from dialling. For a missed call: how long it may take until it rings.',
    ['1s', '2m'],
    '30s',
  ),
  timeout: duration(
    'How long a call may take, including ringing. Longer calls are hung up.',
    ['10s', '10m'],
    '2m',
  ),
  speech: Type.Optional(speech),
  englishFallback,
});

export type AsteriskOptions = Type.StaticDecode<typeof asteriskOptions>;
export type SpeechOptions = NonNullable<AsteriskOptions['speech']>;

/** The least time for saying a code after the longest ringing. */
const TALK_MS = 15_000;

/** What is wrong with the combination of options that are each acceptable: `option: fault`, or null. */
export function findAsteriskFault(
  { timeout, ringTimeout, flashcall }: AsteriskOptions,
  { code }: Parameters<NonNullable<CarrierType['findFault']>>[1],
): string | null {
  if (timeout < ringTimeout + TALK_MS) {
    return `timeout: leaves less than ${TALK_MS / 1_000}s to talk after ringTimeout`;
  }
  if (flashcall === undefined || code === undefined) return null;
  const fault = findBlockFault(flashcall.numbers, code.endingLength);
  return fault === undefined ? null : `flashcall.numbers.${fault}`;
}
