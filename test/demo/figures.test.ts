/** What the demo shows is what was planned: every figure of the overview, asked over the portal's API. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveDemo } from '../../src/cli/demo.ts';
import { configureDemo } from '../../src/demo/configuration.ts';
import { fillDemo } from '../../src/demo/fill.ts';
import { attackOf, isDuring } from '../../src/demo/times.ts';
import { type PlannedCode, planWeek } from '../../src/demo/week.ts';
import type { AlertHistory } from '../../src/portal/alerts/contract.ts';
import type { Overview } from '../../src/portal/overview/contract.ts';
import { createClient } from '../acceptance/client.ts';
import { PASSWORD, read } from '../portal/rig.ts';

const DAY_MS = 86_400_000;

async function openDemo(t: { after(end: () => unknown): void }) {
  const ends: (() => unknown)[] = [];
  t.after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const folder = await mkdtemp(join(tmpdir(), 'countersign-test-demo-'));
  ends.push(() => rm(folder, { recursive: true }));
  const config = await configureDemo(folder, 0);
  const now = Date.now();
  const filled = await fillDemo(config, now);
  const service = await serveDemo(config);
  ends.push(() => service.stop());
  const ca = await readFile(join(config.dataDir, 'tls-cert.pem'), 'utf8');
  const client = createClient({ baseUrl: `https://${config.host}:${service.port}`, ca, key: '' });
  ends.push(() => client.close());
  return { config, now, client, ...filled };
}

const right = ({ guesses }: PlannedCode) => guesses.some(({ isRight }) => isRight);
const count = (codes: readonly PlannedCode[], which: (code: PlannedCode) => boolean) =>
  codes.filter(which).length;

const hasReceipt =
  (status: string) =>
  ({ attempts }: PlannedCode) =>
    attempts.some(({ receipt }) => receipt?.status === status);

function figuresOf(codes: readonly PlannedCode[]) {
  return {
    requested: codes.length,
    attempted: codes.reduce((sum, { attempts }) => sum + attempts.length, 0),
    submitted: count(codes, ({ attempts }) => attempts.some(({ outcome }) => outcome === 'accepted')),
    delivered: count(codes, hasReceipt('delivered')),
    undelivered: count(codes, hasReceipt('undelivered')),
    failed: count(codes, ({ attempts }) => attempts.at(-1)?.outcome !== 'accepted'),
    confirmed: count(codes, right),
  };
}

test('the demo shows the week that was planned', async (t) => {
  const { config, now, client, invitation, codes } = await openDemo(t);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const joining = { token: invitation, name: 'Nora', password: PASSWORD };
  const joined = await client.send('POST', '/portal/api/invitations/accept', joining, { key: null, headers });
  assert.equal(joined.status, 200, joined.text);
  const cookie = (joined.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const ask = async <T>(path: string) =>
    read<T>(await client.send('GET', `/portal/api/${path}`, undefined, { key: null, headers: { cookie } }));
  const me = await ask<{ accounts: { id: string; role: string }[] }>('me');
  const [{ id, role } = { id: '', role: '' }] = me.accounts;
  assert.equal(role, 'owner');
  const account = `accounts/${id}`;
  const live = codes.filter(({ key }) => key !== 'staging');

  await t.test('the overview, in all and by country, channel and carrier', async () => {
    const span = `from=${new Date(now - 8 * DAY_MS).toISOString()}&to=${new Date(now + 60_000).toISOString()}`;
    const { cost, ...total } = (await ask<Overview>(`${account}/overview/total?${span}`)).total;
    assert.deepEqual(total, figuresOf(live));
    assert.ok(cost > 50 && cost < 500, `${cost}`);
    const parts = await ask<Overview>(`${account}/overview/parts?${span}`);
    const shown = (list: Overview['countries']) =>
      Object.fromEntries(list.map(({ name, funnel: { cost: _, ...funnel } }) => [name, funnel]));
    const planned = (by: 'country' | 'channel') =>
      Object.fromEntries(
        [...Map.groupBy(live, (code) => code[by])].map(([name, of]) => [name, figuresOf(of)]),
      );
    assert.deepEqual(shown(parts.countries), planned('country'));
    assert.deepEqual(shown(parts.channels), planned('channel'));
    for (const { name, funnel } of parts.carriers) {
      const attempts = live.flatMap((code) => code.attempts.filter(({ carrier }) => carrier === name));
      assert.equal(funnel.attempted, attempts.length, name);
      assert.equal(
        funnel.delivered,
        attempts.filter(({ receipt }) => receipt?.status === 'delivered').length,
      );
    }
  });

  await t.test('the guard let people pass, and refused the attack', async () => {
    const isAttack = ({ at, country }: PlannedCode) => country === 'ID' && isDuring(attackOf(now), at);
    const week = planWeek(now, config.code.guesses);
    assert.equal(
      count(codes, (code) => !isAttack(code)),
      count(week, (code) => !isAttack(code)),
    );
    const [sent, wanted] = [count(codes, isAttack), count(week, isAttack)];
    assert.ok(sent > 0 && sent < wanted / 4, `${sent} of ${wanted}`);
  });

  await t.test('the outage was alerted of, and is over', async () => {
    const { alerts } = await ask<AlertHistory>(`${account}/alerts/history`);
    assert.deepEqual(
      alerts.map(({ rule, detail }) => [rule, detail]),
      [['carrier-down', 'northwind takes no messages: ESME_RTHROTTLED.']],
    );
  });

  await t.test('the pages say that it is a demo', async () => {
    assert.equal((await ask<{ demo: boolean }>(`${account}/start`)).demo, true);
  });

  await t.test('a message to a live number reaches a simulator', async () => {
    const made = { name: 'Try', test: false, expires_at: null };
    const restrictions = { channels: [], countries: [], sources: [] };
    const answer = await client.send(
      'POST',
      `/portal/api/${account}/keys`,
      { ...made, restrictions },
      { key: null, headers: { ...headers, cookie } },
    );
    const { secret } = read<{ secret: string }>(answer);
    const destination = '+12125550147';
    const asked = await client.verify(destination, 'sms', { key: secret });
    assert.equal(asked.status, 200, asked.text);
    assert.match((await client.message(destination, asked.json.id ?? '', { key: secret })).code, /^\d{6}$/);
  });
});
