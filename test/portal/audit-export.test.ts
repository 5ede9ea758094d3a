/** The audit log's filters and files, as a browser asks for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyExport } from '../../src/accounts/audit-log/exported.ts';
import { parseLink } from '../../src/core/accounts/audit-chain.ts';
import type { AuditLog } from '../../src/portal/audit/contract.ts';
import { problemOf } from '../acceptance/client.ts';
import { firstAccount, read, sharePortal } from './rig.ts';

const openPlace = sharePortal();

test('what a filter finds is on the pages and in the files, and the whole file verifies', async (t) => {
  const { setUp } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const path = (rest: string) => `/portal/api/accounts/${id}/${rest}`;
  const bounds = { expires_at: null, restrictions: { channels: [], countries: [], sources: [] } };
  for (const name of ['=cmd', 'Zürich', 'Oslo']) {
    read(await owner.post(path('keys'), { name, test: true, ...bounds }));
  }
  const log = async (query: string) => read<AuditLog>(await owner.get(path(`audit${query}`)));
  const whole = await log('');
  const newest = whole.entries[0]?.seq;
  assert.equal(parseLink(whole.last ?? '')?.seq, newest);
  assert.deepEqual(
    whole.entries.map(({ seq }) => seq),
    whole.entries.map((_, i) => Number(newest) - i),
  );

  const found = await log(`?group=keys&who=OLIVE&text=${encodeURIComponent('zÜrich')}`);
  assert.deepEqual(
    found.entries.map(({ subject }) => subject.split(' ')[0]),
    ['Zürich'],
  );
  assert.deepEqual([found.next, found.searched_to, found.last], [null, null, whole.last]);
  const at = found.entries[0]?.at ?? '';
  const span = `from=${at}&to=${new Date(Date.parse(at) + 1).toISOString()}`;
  assert.ok((await log(`?${span}`)).entries.some(({ id }) => id === found.entries[0]?.id));
  assert.deepEqual((await log(`?to=${at}&text=Z%C3%BCrich`)).entries, []);

  const json = await owner.get(path('audit.json'));
  assert.equal(json.headers['content-disposition'], 'attachment; filename="audit-log.json"');
  const outcome = verifyExport(json.text, Date.now(), parseLink(whole.last ?? ''));
  assert.ok(outcome.kind === 'read' && outcome.verdict.ok);
  assert.equal(outcome.verdict.facts.entries, whole.entries.length);

  const csv = await owner.get(path('audit.csv?group=keys&text=%3Dcmd'));
  assert.equal(csv.headers['content-disposition'], 'attachment; filename="audit-log.csv"');
  assert.match(String(csv.headers['content-type']), /^text\/csv/);
  const [header, row, ...rest] = csv.text.split('\r\n');
  assert.equal(header, 'seq,at,who,address,action,subject,detail,times,id,hash');
  assert.match(row ?? '', /,key\.created,'=cmd \(csk_test_/);
  assert.deepEqual(rest, ['']);
});

test('a filter that cannot be is refused, and names its field', async (t) => {
  const { setUp } = await openPlace(t);
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  for (const file of ['audit', 'audit.csv', 'audit.json']) {
    for (const [query, field] of [
      ['group=none', 'group'],
      ['text=', 'text'],
      [`who=${'x'.repeat(101)}`, 'who'],
      ['from=yesterday', 'from'],
      ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
    ] as const) {
      const answer = await owner.get(`/portal/api/accounts/${id}/${file}?${query}`);
      assert.equal(problemOf(answer), 'invalid-request');
      assert.match(answer.text, new RegExp(`"field":"${field}"`), query);
    }
  }
});
