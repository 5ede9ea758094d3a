/** What must not compile stands under `@ts-expect-error`: `tsc -p portal` fails if it does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerOf, EndpointName, Input } from './endpoints.ts';

test('a call is one that the server has, with what it takes and answers', () => {
  const known: EndpointName = 'GET accounts/:account/keys';
  // @ts-expect-error: there is no such route
  const invented: EndpointName = 'GET accounts/:account/dreams';
  const whole: Input<'POST accounts/:account/webhooks/:id/replay'> = {
    params: { id: 'whk' },
    body: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z', also_taken: false },
  };
  // @ts-expect-error: the account comes from the page, the id does not
  const unnamed: Input<'DELETE accounts/:account/webhooks/:id'> = {};
  // @ts-expect-error: an account has a name
  const empty: Input<'POST accounts'> = { body: {} };
  const read = (answer: AnswerOf<'GET accounts/:account/keys'>) => answer.map(({ prefix }) => prefix);
  // @ts-expect-error: a key has no such field
  const misread = (answer: AnswerOf<'GET accounts/:account/keys'>) => answer.map(({ color }) => color);
  assert.equal([known, invented, whole, unnamed, empty, read, misread].length, 7);
});
