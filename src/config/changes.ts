/** What differs between two configurations. Names options, never their values. */
import { isDeepStrictEqual } from 'node:util';
import Type, { type TSchema } from 'typebox';
import { annotationsOf } from './expectation.ts';
import { isGroup } from './reader.ts';
import { type Config, createConfigSchema } from './table/schema.ts';

interface Change {
  /** `carriers.smsc.password`. */
  readonly key: string;
  /** Whether a running service takes it. */
  readonly live: boolean;
}

/** Beyond so many changes in one group, the group is named. */
const MOST_OF_A_GROUP = 8;

export function findChanges(before: Config, after: Config): Change[] {
  const [optionsBefore, optionsAfter] = [optionsOf(before), optionsOf(after)];
  // Carriers may change live with all their options, whatever their types are.
  const schema = createConfigSchema([]);
  const changes = compare(schema, [optionsBefore, optionsAfter], '', false);
  const key = 'prices.file';
  const isNamed = changes.some((change) => change.key === key);
  if (isNamed || isDeepStrictEqual(before.priceRows, after.priceRows)) return changes;
  return [...changes, { key, live: annotationsOf(schema.properties.prices).live === true }];
}

function optionsOf({
  priceRows,
  given,
  exposed,
  ...options
}: Config): Omit<Config, 'priceRows' | 'given' | 'exposed'> {
  return options;
}

/** `isInLive`: all of the group that it is in is live. */
function compare(
  schema: TSchema | undefined,
  [before, after]: readonly [unknown, unknown],
  key: string,
  isInLive: boolean,
): Change[] {
  const live = isInLive || (schema !== undefined && annotationsOf(schema).live === true);
  if (!isGroup(before) || !isGroup(after)) return isDeepStrictEqual(before, after) ? [] : [{ key, live }];
  const options = schema !== undefined && Type.IsObject(schema) ? schema.properties : {};
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    compare(options[name], [before[name], after[name]], key === '' ? name : `${key}.${name}`, live),
  );
  return live && changes.length > MOST_OF_A_GROUP ? [{ key, live }] : changes;
}
