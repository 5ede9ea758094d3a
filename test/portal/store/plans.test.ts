/**
 * However long an installation has been in use, a page reads only what it shows: no statement behind a page goes over the whole of a
 * table that grows with the traffic. Asked of SQLite's own plans, which do not depend on how many rows there are.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { freshNumber } from '../../acceptance/client.ts';
import { onTwoNodes } from '../../acceptance/target.ts';
import { scansOf } from '../../store/scans.ts';
import { listRoutes, SAMPLES } from '../catalogue.ts';
import { firstAccount, read, startPortal } from '../rig.ts';

const SPY = new URL('./statement-spy.ts', import.meta.url).href;

test('no page reads a table that grows from end to end', { skip: onTwoNodes }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-plans-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'statements');
  await writeFile(file, '');
  const portal = await startPortal(t, {
    env: { NODE_OPTIONS: `--import=${SPY}`, STATEMENTS_FILE: file },
  });
  const owner = await portal.setUp();
  const { id: account } = await firstAccount(owner);
  const base = `/portal/api/accounts/${account}`;
  const restrictions = { channels: [], countries: [], sources: [] };
  const key = { name: 'shop', test: true, expires_at: null, restrictions };
  const made = read<{ key: { id: string }; secret: string }>(await owner.post(`${base}/keys`, key));
  const sent = await portal.service.client.issue(freshNumber(), 'sms', { key: made.secret });
  const endpoint = { url: SAMPLES.url, types: [] };
  const { webhook } = read<{ webhook: { id: string } }>(await owner.post(`${base}/webhooks`, endpoint));
  const { message } = read<{ message: string }>(await owner.post(`${base}/webhooks/${webhook.id}/test`));
  const before = new Set(await statementsIn(file));

  const ids: Readonly<Record<string, string>> = { verifications: sent.id, webhooks: webhook.id };
  const routes = (await listRoutes(owner)).filter(
    ({ method, ofAccount, template }) => method === 'GET' && ofAccount && !template.endsWith('/events'),
  );
  for (const route of routes) {
    const of = /\{account\}\/([\w-]+)/.exec(route.template)?.[1] ?? '';
    const id = ids[of];
    const path = route.path({ account, message, ...(id !== undefined && { id }) });
    assert.equal((await owner.get(path + route.query)).status, 200, route.name);
  }
  const filters = [
    'status=failed',
    'channel=sms&country=GB&carrier=x&test=true',
    `key=${made.key.id}`,
    'attempt=carried&counted=true',
  ];
  for (const filter of filters) {
    for (const part of ['', '/count']) read(await owner.get(`${base}/verifications${part}?${filter}`));
  }
  for (const filter of ['group=keys&who=ada', 'text=key']) read(await owner.get(`${base}/audit?${filter}`));
  const longAgo = { from: '2026-01-01T00:00:00Z', to: new Date().toISOString() };
  for (const filter of ['', '&channel=sms&country=GB', '&carrier=x', `&key=${made.key.id}`]) {
    const span = new URLSearchParams(longAgo);
    for (const part of ['', '/total', '/parts', '/earlier', '/changes', '/carriers']) {
      read(await owner.get(`${base}/overview${part}?${span}${filter}`));
    }
  }
  read(await owner.post(`${base}/verifications/search`, { query: freshNumber() }));
  read(await owner.post(`${base}/keys/search`, { text: 'shop' }));
  read(await owner.post(`${base}/explain`, { number: freshNumber(), channel: 'sms' }));
  const replay = { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', also_taken: false };
  assert.ok((await owner.post(`${base}/webhooks/${webhook.id}/replay`, replay)).status < 300);

  const statements = (await statementsIn(file)).filter(
    (sql) => !before.has(sql) && /^\s*(SELECT|WITH|UPDATE)/.test(sql),
  );
  assert.ok(statements.length > 25, `${statements.length} statements`);
  using db = new DatabaseSync(join(portal.service.dataDir, 'countersign.db'), { readOnly: true });
  const faults = statements.flatMap((sql) => scansOf(db, sql).map((scan) => `${scan}: ${sql}`));
  assert.deepEqual(faults, []);
});

const statementsIn = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
