import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPhones, type Phones } from './phones.ts';

async function send({ gatewayPort }: Phones, to: string, code: string): Promise<void> {
  const body = JSON.stringify({ to, text: `${code} is your code`, code });
  const answer = await fetch(`http://127.0.0.1:${gatewayPort}/sms`, { method: 'POST', body });
  assert.equal(answer.status, 202);
  await answer.text();
}

test('a message is found by its number, whether it comes before it is awaited or after', async () => {
  using phones = await openPhones();
  const [early, late] = [phones.draw('gateway'), phones.draw('gateway')];
  await send(phones, early, '111111');
  assert.equal((await phones.arrival(early)).code, '111111');
  const awaited = phones.arrival(late);
  await send(phones, late, '222222');
  assert.equal((await awaited).code, '222222');
});

test('no number is drawn twice, and its prefix names the carrier', async () => {
  using phones = await openPhones();
  const drawn = Array.from({ length: 1_000 }, () => phones.draw('smsc'));
  assert.equal(new Set(drawn).size, drawn.length);
  assert.ok(drawn.every((number) => /^\+49157\d{8}$/.test(number)));
});
