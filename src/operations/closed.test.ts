import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { validatorOf } from '../http/lazy-schemas.ts';
import { closed } from './closed.ts';

const One = Type.Object({ a: Type.Optional(Type.Integer()) });
const Body = Type.Object({
  group: Type.Optional(One),
  maybe: Type.Optional(Type.Union([One, Type.Null()])),
  list: Type.Optional(Type.Array(One)),
  named: Type.Optional(Type.Record(Type.String(), One)),
  open: Type.Optional(Type.Object({ inner: Type.Optional(One) }, { additionalProperties: true })),
});
const accepts = validatorOf(closed(Body));

test('what is not known is refused wherever it stands', () => {
  const known = { a: 1 };
  const unknown = { b: 1 };
  for (const place of [
    (one: object) => ({ group: one }),
    (one: object) => ({ maybe: one }),
    (one: object) => ({ list: [known, one] }),
    (one: object) => ({ named: { any: one } }),
  ]) {
    assert.equal(accepts(place(known)), true);
    assert.equal(accepts(place(unknown)), false, JSON.stringify(place(unknown)));
  }
  assert.equal(accepts({ maybe: null }), true);
  assert.equal(accepts({ other: 1 }), false);
});

test('what is open stays open, with everything in it', () => {
  assert.equal(accepts({ open: { more: 1, inner: { b: 1 } } }), true);
});
