/** What the table of routes says of every call, for the pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Key } from './keys/contract.ts';
import type { PortalApi } from './routes.ts';

type Name = keyof PortalApi;
type Unbound = { [N in Name]: unknown extends PortalApi[N]['answer'] ? N : never }[Name];

test('every answer has a type', () => {
  const bound: [Unbound] extends [never] ? true : Unbound = true;
  assert.ok(bound);
});

test('a call is known by its method and its path, with all that it takes', () => {
  const name: Name = 'PATCH accounts/:account/keys/:id';
  // @ts-expect-error: there is no such route
  const invented: Name = 'GET accounts/:account/dreams';
  type Change = PortalApi[typeof name];
  const params: Change['params'] = { account: 'acc', id: 'key' };
  const body: Change['body'] = { name: 'checkout' };
  const answer = (key: Change['answer']): Key => key;
  // @ts-expect-error: the path names it
  const unnamed: Change['params'] = { account: 'acc' };
  // @ts-expect-error: a key is renamed with text
  const wrong: Change['body'] = { name: 1 };
  // @ts-expect-error: signing out answers nothing
  const nothing: Key = {} as PortalApi['DELETE session']['answer'];
  assert.ok([invented, params, body, answer, unnamed, wrong, nothing].length > 0);
});
