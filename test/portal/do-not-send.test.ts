/** The do-not-send list through the portal, and its effect on `/verify`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, faultyFields, freshNumber, problemOf, secondOf } from '../acceptance/client.ts';
import { firstAccount, logOf, read, startPortal } from './rig.ts';

interface Numbers {
  readonly numbers: readonly { readonly id: string; readonly number: string; readonly source: string }[];
  readonly next: string | null;
}
interface Ranges {
  readonly map: (name: (range: { readonly prefix: string }) => string) => string[];
}

test('numbers and ranges are refused while they are on the list, and every change is recorded without a number', async (t) => {
  const { service, setUp, join } = await startPortal(t, {
    config: { limits: { sendsPerDestination: ['1000/10m'] } },
  });
  const owner = await setUp();
  const developer = await join(owner, 'developer', 'dev@example.com');
  const { id, name } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}`;
  const list = `${path}/do-not-send`;
  const key = await service.createKey('live', { account: name });
  const other = await service.createKey('other', { account: 'other' });
  const number = freshNumber();
  const verify = (to = number, as = key) => service.client.verify(to, 'sms', { key: as });
  const done = ({ status, text }: Answer) => assert.equal(status, 204, text);

  assert.equal((await verify()).status, 200);
  done(await developer.post(`${list}/numbers`, { number: `${number.slice(0, 3)} ${number.slice(3)}` }));
  const refused = await verify();
  assert.deepEqual([refused.status, faultyFields(refused)], [400, ['destination']]);
  assert.equal((await verify(number, other)).status, 200);
  assert.equal(problemOf(await developer.post(`${list}/numbers`, { number })), 'conflict');
  const nonsense = await developer.post(`${list}/numbers`, { number: '12345' });
  assert.deepEqual([nonsense.status, faultyFields(nonsense)], [400, ['number']]);
  const changed = await developer.post(`${list}/numbers`, { number: '+22997123456' });
  assert.match(changed.text, /since 2024, numbers of Benin are 01 and/);

  const { numbers } = read<Numbers>(await owner.get(`${list}/numbers`));
  assert.deepEqual([numbers.length, numbers[0]?.source], [1, 'person']);
  assert.ok(!JSON.stringify(numbers).includes(number.slice(3)));
  done(await developer.send('DELETE', `${list}/numbers/${numbers[0]?.id}`));
  assert.equal((await verify()).status, 200);
  assert.equal(problemOf(await developer.post(`${list}/numbers/remove`, { number })), 'not-found');
  done(await developer.post(`${list}/numbers`, { number }));
  done(await developer.post(`${list}/numbers/remove`, { number }));
  assert.equal((await verify()).status, 200);

  const withinASecond = async (status: number) => {
    await secondOf(service.client);
    assert.equal((await verify()).status, status);
  };
  const again = () => service.client.verify(number, 'sms', { key, headers: { 'idempotency-key': 'k' } });
  const first = await again();
  assert.equal(first.status, 200);
  const prefix = number.slice(0, 6);
  done(await developer.post(`${list}/ranges`, { prefix }));
  await withinASecond(400);
  assert.deepEqual((await again()).json, first.json, 'a repetition is answered as the first');
  assert.equal((await verify(number, other)).status, 200);
  assert.equal(problemOf(await developer.post(`${list}/ranges`, { prefix })), 'conflict');
  const whole = await developer.post(`${list}/ranges`, { prefix: number });
  assert.deepEqual([whole.status, faultyFields(whole)], [400, ['prefix']]);
  assert.deepEqual(
    read<Ranges>(await owner.get(`${list}/ranges`)).map((range) => range.prefix),
    [prefix],
  );
  done(await developer.send('DELETE', `${list}/ranges/${prefix.slice(1)}`));
  await withinASecond(200);
  assert.equal(problemOf(await developer.send('DELETE', `${list}/ranges/${prefix.slice(1)}`)), 'not-found');

  const { entries } = read<{ entries: { who: string; action: string; subject: string }[] }>(
    await owner.get(`${path}/audit`),
  );
  assert.deepEqual(
    entries
      .filter(({ action }) => /^(number|range)\./.test(action))
      .map(({ who, action, subject }) => [who, action, subject]),
    [
      ['dev (dev@example.com)', 'range.unblocked', prefix],
      ['dev (dev@example.com)', 'range.blocked', prefix],
      ['dev (dev@example.com)', 'number.unblocked', 'a number'],
      ['dev (dev@example.com)', 'number.blocked', 'a number'],
      ['dev (dev@example.com)', 'number.unblocked', 'a number'],
      ['dev (dev@example.com)', 'number.blocked', 'a number'],
    ],
  );
  assert.ok(!(await logOf(service)).includes(number.slice(3)));
});
