/** What a flow costs the event loop, counted in a service of its own, so that no change makes it dearer unseen. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPhones } from '../../bench/peers/phones.ts';
import { startService } from '../service.ts';
import { COUNTED, type Counted, OF_THE_LOOP } from './table.ts';

const FLOWS = 496;
/** A machine that has other things to do may refuse a request as overloaded, which is then made again. */
const ASKED_AGAIN = 0.05;
const WARM_UP = 100;
/** At once. */
const LANES = 8;

type Counts = Readonly<Record<Exclude<Counted, 'logged'>, number>>;

test('a flow costs the event loop no more than the table allows', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-costs-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'counts');
  const listening = createServer().listen(path);
  t.after(() => listening.close());
  const connected = once(listening, 'connection');
  using phones = await openPhones();
  await using service = await startService({
    config: {
      carriers: {
        gateway: {
          ...{ type: 'http', url: `http://127.0.0.1:${phones.gatewayPort}/sms`, reference: 'id' },
          json: { to: '{{to}}', text: '{{text}}', code: '{{code}}' },
        },
      },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
      limits: { requestsPerKey: [] },
    },
    env: {
      COUNTERSIGN_GUARD_MODE: 'enforce',
      COUNTERSIGN_TEST_COUNTS: path,
      NODE_OPTIONS: `--import ${new URL('./counting.ts', import.meta.url).pathname}`,
    },
  });
  const [socket] = await connected;
  t.after(() => socket.destroy());
  const ask = async (): Promise<Counts> => {
    socket.write('?');
    const [told] = await once(socket, 'data');
    return JSON.parse(String(told));
  };
  const { client } = service;
  const flow = async () => {
    const destination = phones.draw('gateway');
    const asked = await client.verify(destination);
    assert.equal(asked.status, 200, asked.text);
    const { code } = await phones.arrival(destination);
    const confirmed = await client.confirm(asked.json.id ?? '', code);
    assert.equal(confirmed.status, 200, confirmed.text);
  };
  const flows = async (many: number, lanes: number) => {
    const lane = async () => {
      for (let each = 0; each < many / lanes; each++) await flow();
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };

  // One by one: the guard lets nobody have many codes open before some were confirmed.
  await flows(WARM_UP, 1);
  const [before, logged] = [await ask(), service.logs().length];
  await flows(FLOWS, LANES);
  const [after, told] = [await ask(), service.logs().length];
  const costOf = (name: Counted) => (name === 'logged' ? told - logged : after[name] - before[name]) / FLOWS;
  const tooDear = COUNTED.flatMap((name) => {
    const [cost, { most }] = [costOf(name), OF_THE_LOOP[name]];
    t.diagnostic(`${name}: ${cost.toFixed(2)} of ${most}`);
    return cost > most + ASKED_AGAIN
      ? [`${name}: ${cost.toFixed(2)} a flow, of which ${most} are allowed`]
      : [];
  });
  assert.deepEqual(tooDear, []);
});
