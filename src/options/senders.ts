/** Who a message comes from: one sender for all countries, or one for each, and one for the rest. */
import Type from 'typebox';
import type { Channel } from '../core/destination/channel.ts';
import { text } from './fields.ts';

/** The characters of a name: the GSM alphabet without its control characters, in which networks carry names. */
const GSM_NAME = '\\u0020-\\u005a_a-z@£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà';
/** Those that are ASCII as well. */
const ASCII_NAME = '\\u0020-\\u005a_a-z';
/** What carriers on the Internet take, after the `#` that registered names of Hong Kong begin with. */
const USUAL_NAME = 'A-Za-z0-9 ._+&-';

const LETTER = '[A-Za-zèéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉÄÖÑÜäöñüà]';

/** An E.164 number, which carriers take with or without its plus, or a short code. */
export const SENDER_NUMBER = '\\+[1-9][0-9]{4,14}|[0-9]{3,15}';

const EXPECTED =
  'a number such as "+12025550123", a short code, or a name of up to 11 characters with a letter';

const names = {
  gsm: `(?=.*${LETTER})[${GSM_NAME}]{1,11}`,
  ascii: `(?=.*[A-Za-z])[${ASCII_NAME}]{1,11}`,
  usual: `(?=.*[A-Za-z])(?:[${USUAL_NAME}]{1,11}|#[${USUAL_NAME}]{1,10})`,
};

/** A sender of SMS. `also` is a pattern for what else the carrier takes, and its name. */
export function senderText(
  description: string,
  alphabet: keyof typeof names,
  also?: readonly [pattern: string, name: string],
) {
  const [pattern, name] = also ?? [];
  return text(description, {
    pattern: `^(${SENDER_NUMBER}|${names[alphabet]}${pattern === undefined ? '' : `|${pattern}`})$`,
    expected: name === undefined ? EXPECTED : `${EXPECTED}, or ${name}`,
  });
}

/** The option of the one sender for all countries: needed, unless `senders` says it. */
export function oneSender(sender: ReturnType<typeof text>) {
  return Type.Optional(Type.String({ ...sender, unless: 'senders' }));
}

/** The senders by country that replace the one of the option `short`. */
export function sendersByCountry(short: string, sender: ReturnType<typeof text>) {
  return Type.Optional(
    Type.Record(Type.String({ pattern: '^(default|[A-Z]{2})$' }), sender, {
      names: 'country',
      description: `Senders by country, with \`default\` for all others: \`{ IN: ACMEIN, default: Acme }\`. If \`${short}\` is set, it is the default.`,
    }),
  );
}

/** Whether it is shown as a name, and not as a number. */
export function isSenderName(sender: string): boolean {
  return !/^\+?[0-9]+$/.test(sender);
}

/** Senders as the options of a carrier have them. */
export interface ConfiguredSenders {
  readonly channels: readonly Channel[];
  /** The group of options that they are in; empty for none. */
  readonly group: readonly string[];
  /** The option of the one sender. */
  readonly short: string;
  readonly one?: string | undefined;
  readonly senders?: Readonly<Record<string, string>> | undefined;
  /** Whether messages need one at all. */
  readonly isOptional?: true;
  /** Whether telephones show it as a name. Some carriers take ids of their own, too. */
  readonly isName: (sender: string) => boolean;
}
