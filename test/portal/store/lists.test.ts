/** Long lists of an account on each store: every entry on exactly one page, and nothing of another account. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatPlace,
  type ListPlace,
  readTextPlace,
  readTimePlace,
} from '../../../src/accounts/list-place.ts';
import { keysOf, keysWith } from '../../../src/accounts/lists/keys.ts';
import { membersOf, membersWith, readInvitations } from '../../../src/accounts/lists/members.ts';
import { type LongList, searchList, walkList } from '../../../src/accounts/lists/walk.ts';
import { addMember } from '../../../src/accounts/members.ts';
import { addPerson } from '../../../src/accounts/people.ts';
import { mintId } from '../../../src/accounts/token.ts';
import { mintKey } from '../../../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../../../src/core/seams/random.ts';
import { query, type Records, type Step } from '../../../src/core/sql/records.ts';
import { HOUR, NOW, overEachStore } from './stores.ts';

const KEYS = 507;
const MEMBERS = 210;
const PAGE = 50;

interface Listed {
  readonly id: string;
}

/** As the next request brings it back. */
const placeIn = <P extends ListPlace>(next: string | null): P | undefined =>
  next === null ? undefined : ((readTextPlace(next) ?? readTimePlace(next)) as P | undefined);

/** The ids of all pages. */
async function pagesOf<T extends Listed, P extends ListPlace>(
  list: LongList<T, P>,
  matches?: (each: T) => boolean,
): Promise<string[][]> {
  const pages: string[][] = [];
  let after: P | undefined;
  do {
    const { found, next } = await searchList(list, matches, after);
    pages.push(found.map(({ id }) => id));
    after = placeIn(next);
  } while (after !== undefined);
  return pages;
}

async function walked<T extends Listed, P extends ListPlace>(
  list: LongList<T, P>,
  meanwhile: (last: T | undefined) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const slice of walkList(list)) {
    ids.push(...slice.map(({ id }) => id));
    await meanwhile(slice.at(-1));
  }
  return ids;
}

async function write(store: Records, steps: readonly Step[]): Promise<void> {
  for (let at = 0; at < steps.length; at += 100) await store.transact(steps.slice(at, at + 100));
}

overEachStore('long lists', (portal) => {
  /** Several were made in the same millisecond; every third is revoked, every fifth expired, every second for tests. */
  async function addKeys(accountId: string, count: number) {
    const keys = Array.from({ length: count }, (_, n) => ({
      ...mintKey(SYSTEM_RANDOM, n % 2 === 0),
      name: n % 10 === 0 ? `Zürich ${n}` : `Shop ${n}`,
      createdAt: NOW + Math.floor(n / 4),
      revokedAt: n % 3 === 0 ? NOW : null,
      expiresAt: n % 5 === 0 ? NOW - 1 : NOW + HOUR,
    }));
    const steps = keys.map(
      (key, n): Step => ({
        sql: `INSERT INTO api_key (id, account_id, name, test, prefix, hash, created_at, created_by, revoked_at, expires_at)
          VALUES ($1, $2, $3, $4 = 1, $5, $6, $7, $8, $9, $10)`,
        args: [
          ...[key.id, accountId, key.name, Number(n % 2 === 0), key.prefix, key.hash],
          ...[key.createdAt, 'Ada', key.revokedAt, key.expiresAt],
        ],
      }),
    );
    await write(portal().store, steps);
    return keys;
  }

  test('every key is on one page, newest first, and what matches is found wherever it is', async () => {
    const { account, store } = portal();
    const [accountId, other] = [await account(), await account()];
    const keys = await addKeys(accountId, KEYS);
    const [foreign] = await addKeys(other, 3);
    const read = keysOf(store, accountId, {}, NOW);
    const inOrder = [...keys]
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);

    const pages = await pagesOf(read);
    assert.equal(pages.length, Math.ceil(KEYS / PAGE));
    assert.ok(pages.every((page) => page.length <= PAGE));
    // The stores may put ids of one millisecond in another order; none is missing, and none is there twice.
    assert.deepEqual([...pages.flat()].sort(), [...inOrder].sort());
    assert.deepEqual(await walked(read), pages.flat());
    const times = new Map(keys.map(({ id, createdAt }) => [id, createdAt]));
    const shown = pages.flat().map((id) => Number(times.get(id)));
    assert.deepEqual(
      shown,
      [...shown].sort((a, b) => b - a),
    );

    const those = (matches: (key: (typeof keys)[number], n: number) => boolean) =>
      keys
        .filter(matches)
        .map(({ id }) => id)
        .sort();
    const found = async (filter: Parameters<typeof keysWith>[0]) =>
      (await pagesOf(keysOf(store, accountId, filter, NOW), keysWith(filter))).flat().sort();
    const isEnded = (_: unknown, n: number) => n % 3 === 0 || n % 5 === 0;
    assert.deepEqual(await found({ inUse: false }), those(isEnded));
    assert.deepEqual(
      await found({ inUse: true, test: true }),
      those((key, n) => !isEnded(key, n) && n % 2 === 0),
    );
    assert.deepEqual(
      await found({ text: 'zÜRICH' }),
      those((_, n) => n % 10 === 0),
    );
    assert.deepEqual((await found({ text: 'ada' })).length, KEYS);
    const [key] = keys;
    for (const text of [key?.key ?? '', key?.prefix ?? '', key?.prefix.slice(9) ?? '']) {
      assert.deepEqual(await found({ text }), [key?.id], text);
    }
    assert.deepEqual(await found({ id: keys[7]?.id ?? '' }), [keys[7]?.id]);
    assert.deepEqual(await found({ id: foreign?.id ?? '' }), []);
    const remove = (id = '') => query(store, 'DELETE FROM api_key WHERE id = $1', id);
    const { next } = await searchList(read, undefined);
    await remove(pages[0]?.at(-1));
    const second = await searchList(read, undefined, placeIn(next));
    assert.deepEqual(
      second.found.map(({ id }) => id),
      pages[1],
      'also if the last of the page before is gone',
    );
    assert.equal((await walked(read, (last) => remove(last?.id))).length, KEYS - 1, 'and so does a file');
  });

  test('every member is on one page, by name, and another account’s are on none', async () => {
    const { account, person, store } = portal();
    const [accountId, other] = [await account(), await account()];
    const people = Array.from({ length: MEMBERS }, (_, n) => ({
      id: mintId('per', SYSTEM_RANDOM),
      email: `${mintId('x', SYSTEM_RANDOM)}@example.com`,
      // Some have the same name.
      name: n % 7 === 0 ? 'Ödön Kovács' : `Person ${n % 50}`,
      password: null,
    }));
    await write(
      store,
      people.flatMap((each, n) => [
        addPerson(each, NOW),
        addMember(accountId, each.id, n % 3 === 0 ? 'viewer' : 'owner', NOW),
      ]),
    );
    const stranger = await person();
    await store.transact([addMember(other, stranger, 'viewer', NOW)]);
    const read = membersOf(store, accountId, {});
    const pages = await pagesOf(read);
    assert.equal(pages.length, Math.ceil(MEMBERS / PAGE));
    assert.deepEqual(pages.flat().sort(), people.map(({ id }) => id).sort());
    assert.deepEqual((await walked(read)).length, MEMBERS);
    const viewers = people.filter((_, n) => n % 3 === 0).map(({ id }) => id);
    assert.deepEqual(
      (await pagesOf(membersOf(store, accountId, { role: 'viewer' }))).flat().sort(),
      viewers.sort(),
    );
    const named = await pagesOf(read, membersWith({ text: 'ödön k' }));
    assert.equal(named.flat().length, MEMBERS / 7);
    const [somebody] = people;
    assert.deepEqual(await pagesOf(read, membersWith({ text: somebody?.email.toUpperCase() ?? '' })), [
      [somebody?.id],
    ]);
    const { next } = await searchList(read, undefined);
    await query(
      store,
      'DELETE FROM member WHERE account_id = $1 AND person_id = $2',
      accountId,
      pages[0]?.at(-1) ?? '',
    );
    const second = await searchList(read, undefined, placeIn(next));
    assert.deepEqual(
      second.found.map(({ id }) => id),
      pages[1],
      'also if the last of the page before is gone',
    );
    assert.deepEqual(await readInvitations(store, accountId, {}, NOW), []);
  });
});

test('a search with few matches ends after a while, and goes on from there', async () => {
  const all = Array.from({ length: 25_000 }, (_, n) => ({ id: String(n) }));
  let most = 0;
  const list: LongList<Listed, ListPlace<number>> = {
    placeOf: ({ id }) => [Number(id), id],
    read: async (after, limit) => {
      most = Math.max(most, limit);
      const from = after === undefined ? 0 : after[0] + 1;
      return all.slice(from, from + limit);
    },
  };
  const at9999 = formatPlace([9_999, '9999']);
  const isLast = ({ id }: Listed) => id === '24999';
  const first = await searchList(list, isLast);
  assert.deepEqual(first, { found: [], next: at9999 });
  assert.deepEqual((await pagesOf(list, isLast)).flat(), ['24999']);
  assert.ok(most <= 500, 'each read is short');
  assert.deepEqual((await searchList(list, ({ id }) => Number(id) < PAGE)).next, at9999);
});

test('a cursor is taken back as it was given, and nothing else is one', () => {
  for (const place of [
    ['Ödön "K"', 'per_1'],
    ['', ''],
  ] as const) {
    assert.deepEqual(readTextPlace(formatPlace(place)), place);
    assert.equal(readTimePlace(formatPlace(place)), undefined);
  }
  assert.deepEqual(readTimePlace(formatPlace([NOW, 'key_1'])), [NOW, 'key_1']);
  const cursors = [[NOW], [1.5, 'a'], [2 ** 60, 'a'], ['a', 1], ['a\0', 'b'], ['a', 'b\0'], {}, null].map(
    (value) => Buffer.from(JSON.stringify(value)).toString('base64url'),
  );
  for (const cursor of ['', 'per_01', '~', ...cursors]) {
    assert.deepEqual([readTextPlace(cursor), readTimePlace(cursor)], [undefined, undefined], cursor);
  }
});
