import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../text/any-text-fixture.ts';
import {
  type ChainedFields,
  formatLink,
  hashEntry,
  parseLink,
  textOfEntry,
  timeOfEntry,
} from './audit-chain.ts';

const FIRST: ChainedFields = {
  seq: 1,
  accountId: 'acc_1',
  id: 'aud_1',
  at: 1_700_000_000_000,
  who: 'Ada "the owner"',
  address: null,
  action: 'key.created',
  subject: 'Zürich\n',
  detail: '',
};

test('the hash is the one that the documentation says', () => {
  const text = String.raw`["",1,"acc_1","aud_1",1700000000000,"Ada \"the owner\"",null,"key.created","Zürich\n",""]`;
  assert.equal(hashEntry('', FIRST), createHash('sha256').update(text).digest('hex'));
});

test('no two entries share a hash, wherever one field ends and the next begins', () => {
  const text = fc.oneof(anyText(), fc.constantFrom('', 'null', '","', '"', '\\', '1', 'é', 'e\u0301'));
  const entry = fc.record({
    seq: fc.integer({ min: 1, max: 3 }),
    accountId: text,
    id: text,
    at: fc.integer({ min: 0, max: 2 }),
    who: text,
    address: fc.option(text),
    action: text,
    subject: text,
    detail: text,
  });
  const before = fc.constantFrom('', 'a', '1');
  fc.assert(
    fc.property(before, entry, before, entry, (beforeOne, one, beforeOther, other) => {
      const isSame = JSON.stringify([beforeOne, one]) === JSON.stringify([beforeOther, other]);
      assert.equal(hashEntry(beforeOne, one) === hashEntry(beforeOther, other), isSame);
    }),
    { numRuns: 300 },
  );
});

test('every field counts', () => {
  const changes: Partial<ChainedFields>[] = [
    { seq: 2 },
    { accountId: 'acc_2' },
    { id: 'aud_2' },
    { at: 1 },
    { who: 'Ada' },
    { address: '' },
    { action: 'key.revoked' },
    { subject: '' },
    { detail: ' ' },
  ];
  const hashes = changes.map((change) => hashEntry('', { ...FIRST, ...change }));
  const all = new Set([hashEntry('', FIRST), hashEntry('0', FIRST), ...hashes]);
  assert.equal(all.size, changes.length + 2);
});

test('an entry tells its time only to who has its hash', () => {
  const text = textOfEntry('', FIRST);
  const link = { seq: 1, hash: hashEntry('', FIRST) };
  assert.equal(timeOfEntry(link, text), FIRST.at);
  assert.equal(timeOfEntry({ ...link, seq: 2 }, text), undefined);
  assert.equal(timeOfEntry(link, text.replace('1700', '1600')), undefined);
  for (const other of ['{', 'null', '[]', '["",1,"a","b","1700"]'])
    assert.equal(timeOfEntry({ seq: 1, hash: hash('sha256', other) }, other), undefined, other);
});

test('what is noted is read again, and nothing else is', () => {
  const link = { seq: 57, hash: hashEntry('', FIRST) };
  assert.deepEqual(parseLink(` ${formatLink(link).toUpperCase()}\n`), link);
  const dated = { ...link, at: FIRST.at };
  assert.equal(formatLink(dated), `${formatLink(link)}@2023-11-14T22:13:20.000Z`);
  assert.deepEqual(parseLink(formatLink(dated)), dated);
  for (const wrong of [
    '',
    link.hash,
    `0:${link.hash}`,
    `57:${link.hash}0`,
    `57:${link.hash.slice(1)}`,
    '57:',
    `${formatLink(link)}@`,
    `${formatLink(link)}@yesterday`,
  ])
    assert.equal(parseLink(wrong), undefined, wrong);
});
