/** A hook needs a key that is one, a secret exactly where its system signs, a text that exists, and a channel that is offered. */
import { isWellFormedKey, KEY_SHAPE } from '../../core/accounts/api-key-format.ts';
import { offeredBy } from '../../core/destination/channel.ts';
import { type HookOptions, SECRET_SHAPES, signingKeysOf, signs } from '../../core/hooks/system.ts';
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';

export function* checkHooks({ hooks, messages }: Config): Generator<RuleFinding> {
  for (const [name, hook] of Object.entries(hooks)) {
    const { key, template } = hook;
    if (!isWellFormedKey(key)) {
      yield {
        key: ['hooks', name, 'key'],
        wrong: 'is not an API key of this service',
        expected: KEY_SHAPE,
        fix: 'make one with `countersign keys create --custom-codes`',
      };
    }
    yield* checkSecret(name, hook);
    if (template !== undefined && !Object.hasOwn(messages.named, template)) {
      yield {
        key: ['hooks', name, 'template'],
        wrong: `is ${JSON.stringify(template)}, which is no text`,
        expected: 'a name of messages.named',
        fix: 'correct it, or add the text',
      };
    }
  }
}

export function* checkHookChannels({ hooks, routes }: Config): Generator<RuleFinding> {
  const offered = offeredBy(routes.map(({ channel }) => channel));
  for (const [name, { channel }] of Object.entries(hooks)) {
    if (channel === undefined || offered.includes(channel)) continue;
    yield {
      key: ['hooks', name, 'channel'],
      wrong: `is ${channel}, which no route serves`,
      expected: `one of ${offered.join(', ')}`,
      fix: `change it, or add a route for ${channel}`,
    };
  }
}

function* checkSecret(name: string, { system, secret }: HookOptions): Generator<RuleFinding> {
  const fault = { key: ['hooks', name, 'secret'] };
  if (!signs(system)) {
    if (secret === undefined) return;
    const expected = `none: ${system} sends the API key itself, as a bearer token or a Basic password`;
    yield { ...fault, wrong: `is set, but ${system} signs nothing`, expected, fix: 'remove it' };
    return;
  }
  const expected = SECRET_SHAPES[system];
  if (secret === undefined) {
    yield { ...fault, wrong: 'is missing', expected, fix: 'add it, or secretFile' };
  } else if (signingKeysOf(system, secret) === undefined) {
    yield { ...fault, wrong: `is no secret of ${system}`, expected, fix: 'copy it again' };
  }
}
