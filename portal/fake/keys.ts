import type { CreatedKey, Key } from '../../src/portal/contract/keys.ts';
import { ago, type Handler, ok, Refusal } from './answer.ts';

const NONE: Key['restrictions'] = { channels: [], countries: [], sources: [] };
const key = (id: string, change: Partial<Key>): Key => ({
  id,
  name: id,
  test: false,
  prefix: `csk_live_${id.padEnd(8, 'x')}`,
  created_at: ago(100_000),
  created_by: 'Maria Lind',
  last_used_at: null,
  last_used_from: null,
  expires_at: null,
  revoked_at: null,
  restrictions: NONE,
  replaced_by: null,
  status: 'active',
  ...change,
});

const all: Key[] = [
  key('key_1', {
    name: 'Checkout, production',
    last_used_at: ago(0.2),
    last_used_from: '192.0.2.10',
    restrictions: { channels: ['sms'], countries: ['GB', 'FR', 'DE', 'ES', 'IT'], sources: ['192.0.2.0/24'] },
  }),
  key('key_2', {
    name: 'Checkout, production (old)',
    status: 'overlap',
    expires_at: ago(-600),
    last_used_at: ago(4),
    last_used_from: '192.0.2.11',
    replaced_by: 'key_1',
  }),
  key('key_3', {
    name: 'Laptop',
    test: true,
    prefix: 'csk_test_q9Wm2LkP',
    created_by: null,
    expires_at: ago(-90_000),
  }),
  key('key_4', { name: 'Leaked', status: 'revoked', revoked_at: ago(8000) }),
];

function create(change: Partial<Key>): CreatedKey {
  const made = key(`key_${all.length + 1}`, { ...change, created_at: ago(0) });
  all.unshift(made);
  return { key: made, secret: `csk_${made.test ? 'test' : 'live'}_4fGh7Jk2mNp9QrS5tVw8Xy1zAb3Cd6Ef0GhJk` };
}

function find(id: string | undefined): Key {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Refusal(404, 'No such key');
  return found;
}

export const keys: Readonly<Record<string, Handler>> = {
  'GET accounts/:account/keys': ({ params }) => ok<Key[]>(params.account === 'empty' ? [] : all),
  'POST accounts/:account/keys': ({ body }) => {
    const restrictions = (body.restrictions as Key['restrictions'] | undefined) ?? NONE;
    if (restrictions.sources.includes('bad')) {
      throw new Refusal(400, 'The request is invalid', 'One or more fields are invalid.', [
        { field: 'restrictions.sources', detail: 'must be addresses or networks such as 192.0.2.0/24' },
      ]);
    }
    return ok(create({ name: String(body.name), test: body.test === true, restrictions }));
  },
  'PATCH accounts/:account/keys/:id': ({ params, body }) => ok(Object.assign(find(params.id), body)),
  'POST accounts/:account/keys/:id/rotate': ({ params }) => {
    const old = find(params.id);
    Object.assign(old, { status: 'overlap', expires_at: ago(-1440) });
    return ok(create({ name: old.name, test: old.test, restrictions: old.restrictions }));
  },
  'POST accounts/:account/keys/:id/revoke': ({ params }) =>
    ok(Object.assign(find(params.id), { status: 'revoked', revoked_at: ago(0) })),
};
