import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Carrier, Spoken } from '../core/sending/carrier.ts';
import { createSpeakers } from './speakers.ts';

function carrier(name: string, speaks?: (locale: string) => Spoken): Carrier {
  return {
    name,
    concurrency: 1,
    start() {},
    submit: () => ({ kind: 'accepted' }),
    check: async () => ({ ok: true, detail: '' }),
    ...(speaks && { speaks }),
    stop: async () => {},
  };
}

const speakers = createSpeakers([
  carrier('strict', (locale) => (locale === 'de' ? 'as-written' : 'not-at-all')),
  carrier('english', (locale) => (locale === 'de' ? 'as-written' : 'in-english')),
  carrier('unsure', () => undefined),
  carrier('any'),
]);
const places = (...names: string[]) => names.map((name) => ({ carrier: name, why: null }));

test('a carrier without a voice is left out, and one with a fallback keeps its place', () => {
  const all = places('strict', 'english', 'unsure', 'any');
  assert.deepEqual(speakers.keepAble(all, 'de'), all);
  assert.deepEqual(speakers.keepAble(all, 'ka'), places('english', 'unsure', 'any'));
});

test('if none would speak all are kept, so that the attempt says why', () => {
  assert.deepEqual(speakers.keepAble(places('strict'), 'ka'), places('strict'));
});

test('a route serves a language if any of its carriers would or might speak it', () => {
  const serve = (...carriers: [string, ...string[]]) => speakers.serve({ channel: 'voice', carriers }, 'ka');
  assert.equal(serve('strict'), false);
  for (const other of ['english', 'unsure', 'any']) assert.equal(serve('strict', other), true, other);
});
