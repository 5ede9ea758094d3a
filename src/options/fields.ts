/** The kinds of values that options take. Each carries what the reference and the editors' schema say about it. */
import Type, { type TInteger, type TProperties, type TSchemaOptions, type TString } from 'typebox';
import {
  formatDuration,
  formatLimit,
  LIMIT_BOUNDS,
  type Limit,
  parseDuration,
  parseLimit,
} from '../core/verification/limits.ts';

/** Options that belong together. No others may stand among them. */
export function group<Properties extends TProperties>(
  description: string,
  properties: Properties,
  notes: Notes = {},
) {
  return Type.Object(properties, { ...notes, additionalProperties: false, description });
}

/** The options of one type of carrier. */
export function carrierOptions<const Name extends string, Properties extends TProperties>(
  type: Name,
  description: string,
  properties: Properties,
) {
  return Type.Object(
    { type: Type.Literal(type, { description }), ...properties },
    { additionalProperties: false },
  );
}

const MILLIONTHS = 1_000_000;
const AMOUNT = 'an amount with at most six decimals,';

/** `description` comes first in all of them, then what else is known about the value. */
type Notes = Omit<TSchemaOptions, 'description'>;

export function text(description: string, notes: Notes = {}): TString {
  return Type.String({ ...notes, description });
}

/** The address of a server. A pattern alone lets pass what no URL is, such as port 99999. */
export function address(
  description: string,
  notes: Notes & Readonly<Record<'pattern' | 'expected', string>>,
) {
  return Type.Codec(text(description, notes))
    .Decode((text): string => required(URL.canParse(text) ? text : undefined, text))
    .Encode((text) => text);
}

/** A whole number. Its bounds are allowed too. */
export function integer(
  description: string,
  [minimum, maximum]: readonly [least: number, most: number],
  fallback?: number,
): TInteger {
  const preset = fallback === undefined ? {} : { default: fallback };
  return Type.Integer({ minimum, maximum, ...preset, description });
}

/** Yes or no. */
export function flag(description: string, fallback: boolean) {
  return Type.Boolean({ default: fallback, description });
}

/** A length of time, `90s` or `10m`, read into ms. Its bounds are allowed too. */
export function duration(
  description: string,
  [atLeast, atMost]: readonly [least: string, most: string],
  fallback?: string,
) {
  const pattern = '^[0-9]{1,9}(ms|s|m|h|d)$';
  const expected = 'a duration such as 90s, 10m or 1d';
  const preset = fallback === undefined ? {} : { default: fallback };
  return Type.Codec(text(description, { pattern, expected, atLeast, atMost, ...preset }))
    .Decode((text): number => required(parseDuration(text), text))
    .Encode(formatDuration);
}

/** A rate, `5/10m`. */
export function limit(description: string) {
  const pattern = '^[1-9][0-9]{0,6}/[0-9]{1,9}(ms|s|m|h|d)$';
  return Type.Codec(text(description, { pattern, expected: LIMIT_BOUNDS }))
    .Decode((text): Limit => required(parseLimit(text), text))
    .Encode(formatLimit);
}

/** Whether the connection to a carrier may be unencrypted. */
export function insecure(what: string) {
  return Type.Optional(
    Type.Boolean({
      description: `Allows \`http://\` to another machine. Anyone on the network path can read ${what}.`,
    }),
  );
}

/** An amount in the currency, read into millionths of it. */
export function amount(description: string, maximum: number) {
  return Type.Codec(Type.Number({ minimum: 1 / MILLIONTHS, maximum, expected: AMOUNT, description }))
    .Decode((amount): number => {
      const millionths = Math.round(amount * MILLIONTHS);
      return required(millionths / MILLIONTHS === amount ? millionths : undefined, String(amount));
    })
    .Encode((millionths) => millionths / MILLIONTHS);
}

/** A number of messages per day. */
export function dailyCap(description: string) {
  return Type.Optional(integer(description, [1, 1_000_000_000]));
}

/** A value that must never be shown. It may be in a file of its own: `name_FILE` in the environment, `nameFile` here. */
export function secret(description: string, notes: Notes = {}): TString {
  return text(description, { minLength: 1, secret: true, ...notes });
}

function required<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new RangeError(`${text}: out of range`);
  return value;
}
