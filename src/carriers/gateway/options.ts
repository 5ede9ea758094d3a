/** Options that carriers behind an HTTP API share. */
import Type from 'typebox';
import { CHANNEL_NAMES, type Channel } from '../../core/destination/channel.ts';
import { flag, text } from '../../options/fields.ts';
import {
  type ConfiguredSenders,
  isSenderName,
  oneSender,
  sendersByCountry,
  senderText,
} from '../../options/senders.ts';
import type { Senders } from '../sender-of.ts';

/** The options of a sender: one for all countries, or one for each. */
export function fromOf(sender: ReturnType<typeof text>) {
  return { from: oneSender(sender), senders: sendersByCountry('from', sender) };
}

export const smsFrom = fromOf(senderText('Sender: a number, a short code, or a name.', 'usual'));

export const templatesInAccount = flag(
  'Whether the texts of `messages.registered` are set up in the account, where the carrier finds them by their words. Its requests have no fields for their ids.',
  false,
);

export function uuid(description: string) {
  return text(description, { pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', expected: 'a UUID' });
}

export const englishFallback = flag(
  'Whether calls are made in English if the carrier has no voice for the language. With `false` they are left to the other carriers of the route, and refused with 400 if none of them has a voice.',
  true,
);

/** @param example a voice as the carrier writes it */
export function voicesByLanguage(example: string) {
  return Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$' }),
      text('A voice.', { pattern: '^\\S{1,64}$', expected: 'the name of a voice' }),
      {
        names: 'language',
        description: `Voices by language (BCP 47) instead of the usual ones: \`{ de: ${example} }\`. Each must be a voice of the carrier that speaks the language.`,
      },
    ),
  );
}

/** The caller ID of calls, with the description of the one for all countries. */
export function callerFrom(description: string) {
  return fromOf(
    text(description, { pattern: '^\\+[1-9][0-9]{4,14}$', expected: 'a number such as "+12025550123"' }),
  );
}

type ByChannel = Readonly<Partial<Record<Channel, unknown>>>;
type SendersByChannel = Readonly<Partial<Record<Channel, Senders | undefined>>>;

/** The senders of a carrier that has a group of options for each channel. */
export function sendersOfGroups(options: SendersByChannel, isNameHere = isSenderName): ConfiguredSenders[] {
  return CHANNEL_NAMES.flatMap((channel) => {
    const group = options[channel];
    if (group === undefined) return [];
    const { from, senders } = group;
    return [{ channels: [channel], group: [channel], short: 'from', one: from, senders, isName: isNameHere }];
  });
}

/** The channels of a carrier that has a group of options for each channel. */
export function channelsNamedIn(options: ByChannel): readonly Channel[] {
  return CHANNEL_NAMES.filter((channel) => options[channel] !== undefined);
}
