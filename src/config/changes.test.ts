import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findChanges } from './changes.ts';
import { loadText } from './fixture.ts';

const SMSC = 'type: smpp, host: 127.0.0.1, systemId: me, source: Acme';

const changes = (before: string, after: string) =>
  findChanges(loadText(before), loadText(after)).map(({ key, live }) => `${key} ${live}`);

test('what is the same is no change, however it is written', () => {
  assert.deepEqual(changes('', ''), []);
  assert.deepEqual(changes('code: { validFor: 600s }', 'code: { validFor: 10m }'), []);
  assert.deepEqual(changes('log: { level: info }', ''), []);
});

test('changes are named by their keys, with whether a running service takes them', () => {
  assert.deepEqual(changes('port: 1000', 'port: 2000'), ['port false']);
  assert.deepEqual(changes('', 'log: { level: warn }'), ['log.level true']);
  assert.deepEqual(changes('', 'guard: { mode: observe, countries: [DE], neverSend: { add: ["+88"] } }'), [
    'guard.mode true',
    'guard.countries true',
    'guard.neverSend.add true',
  ]);
  assert.deepEqual(changes('', 'messages: { brand: Acme, locales: { CH: fr } }'), [
    'messages.brand true',
    'messages.locales.CH true',
  ]);
  assert.deepEqual(changes('', 'budgets: [{ of: account, per: day, messages: 5 }]'), ['budgets true']);
  assert.deepEqual(changes('', 'plain: { port: 80 }'), ['plain false']);
  assert.deepEqual(changes('', 'retention: { verifications: 40d }'), ['retention.verifications false']);
});

test('of a carrier it names options and no value, secrets least of all', () => {
  const carrier = (password: string) =>
    `carriers: { smsc: { ${SMSC}, password: ${password} } }\nroutes: [{ channel: sms, carriers: [smsc] }]`;
  assert.deepEqual(changes(carrier('one'), carrier('two')), ['carriers.smsc.password true']);
  assert.deepEqual(changes('', carrier('one')), ['carriers.smsc true', 'routes true']);
});

test('of many changes in a group only the group is named', () => {
  const prices = (price: number) =>
    ['DE', 'FR', 'GB', 'US', 'ES', 'IT', 'PT', 'NL', 'BE', 'AT'].map((to) => `${to}: ${price}`).join(', ');
  const carrier = (price: number) =>
    `carriers: { simulator: { type: simulator, prices: { ${prices(price)} } } }`;
  assert.deepEqual(changes(carrier(0.1), carrier(0.2)), ['carriers.simulator.prices true']);
});

test('other prices in the file of prices are a change', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-changes-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'prices.csv');
  const yaml = `prices: { file: ${file} }`;
  writeFileSync(file, 'carrier,to,price\nsimulator,DE,0.1\n');
  const before = loadText(yaml);
  writeFileSync(file, 'carrier,to,price\nsimulator,DE,0.2\n');
  assert.deepEqual(findChanges(before, loadText(yaml)), [{ key: 'prices.file', live: true }]);
});
