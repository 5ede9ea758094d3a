/** The kinds of values that options take. Each carries what the reference and the editors' schema say about it. */
import Type, { type TProperties, type TSchemaOptions, type TString } from 'typebox';
import {
  formatDuration,
  LIMIT_BOUNDS,
  type Limit,
  parseDuration,
  parseLimit,
} from '../core/verification/limits.ts';

/** Options that belong together. No others may stand among them. */
export function group<Properties extends TProperties>(description: string, properties: Properties) {
  return Type.Object(properties, { additionalProperties: false, description });
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

/** A length of time, `90s` or `10m`, read into ms. */
export function duration(options: TSchemaOptions & { default?: string; description: string }) {
  return Type.Codec(
    Type.String({
      pattern: '^[0-9]{1,9}(ms|s|m|h|d)$',
      expected: 'a duration such as 90s, 10m or 1d',
      ...options,
    }),
  )
    .Decode((text): number => required(parseDuration(text), text))
    .Encode(formatDuration);
}

/** A rate, `5/10m`. */
export function limit(options: TSchemaOptions & { default?: string; description: string }) {
  return Type.Codec(
    Type.String({
      pattern: '^[1-9][0-9]{0,6}/[0-9]{1,9}(ms|s|m|h|d)$',
      expected: LIMIT_BOUNDS,
      ...options,
    }),
  )
    .Decode((text): Limit => required(parseLimit(text), text))
    .Encode(({ max, windowMs }) => `${max}/${formatDuration(windowMs)}`);
}

/** Whether the connection to a carrier may be unencrypted. */
export function insecure(what: string) {
  return Type.Optional(
    Type.Boolean({
      description: `Allows \`http://\` to another machine. Anyone on the network path can read ${what}.`,
    }),
  );
}

/** A number of messages per day. */
export function dailyCap(description: string) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }));
}

/** A value that must never be shown. It may be in a file of its own: `name_FILE` in the environment, `nameFile` here. */
export function secret(options: TSchemaOptions & { description: string }): TString {
  return Type.String({ minLength: 1, secret: true, ...options });
}

function required<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new RangeError(`${text}: out of range`);
  return value;
}
