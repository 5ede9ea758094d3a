/** Secrets must be hard to guess, and the same on every node of a shared store. */

import { isWellFormedKey, KEY_SHAPE, randomPartOf } from '../../core/accounts/api-key-format.ts';
import { parseDatabaseAddress } from '../../options/database-address.ts';
import type { RuleFinding } from '../problem.ts';
import { findKeptFault, secretFile } from '../secret.ts';
import type { Config } from '../table/schema.ts';
import { describePattern, EXPECTED, findWeakness } from './secret-strength.ts';

export function* checkSecrets({ secret, previousSecret, dataDir, store }: Config): Generator<RuleFinding> {
  for (const [name, value] of Object.entries({ secret, previousSecret })) {
    const weakness = value === undefined ? undefined : findWeakness(value);
    if (weakness !== undefined)
      yield { key: [name], ...weakness, fix: 'make a random one; docs/operations.md says how to rotate it' };
  }
  const kept = secret === undefined && store.url === undefined ? findKeptFault(dataDir) : undefined;
  if (kept !== undefined) yield { key: [secretFile(dataDir)], ...kept };
  if (previousSecret === undefined) return;
  const fault = { key: ['previousSecret'], expected: 'the secret that was in use before' };
  if (secret === undefined) {
    yield { ...fault, wrong: 'is set without secret', fix: 'set secret to a new one, or remove this' };
  } else if (secret === previousSecret) {
    yield { ...fault, wrong: 'is the same as secret', fix: 'remove it, or set secret to a new one' };
  }
}

export function* checkPresetKey({ bootstrap: { key } }: Config): Generator<RuleFinding> {
  if (key === undefined) return;
  const wrong = isWellFormedKey(key)
    ? describePattern(randomPartOf(key))
    : 'is not an API key of this service';
  if (wrong === undefined) return;
  const fix =
    'make one with `countersign keys generate --test`, or without --test for a live key that sends to telephones';
  yield { key: ['bootstrap', 'key'], wrong, expected: KEY_SHAPE, fix };
}

export function* checkSharedStore({ store: { url }, secret }: Config): Generator<RuleFinding> {
  if (url === undefined) return;
  const parsed = parseDatabaseAddress(url);
  if (!parsed.ok) yield { key: ['store', 'url'], ...parsed.problem };
  if (secret === undefined) {
    yield {
      key: ['secret'],
      wrong: 'is not set, but store.url is',
      expected: `${EXPECTED}, the same on every node`,
      fix: 'set it; a node with a secret of its own could not read what the others wrote',
    };
  }
}
