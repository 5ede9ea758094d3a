/**
 * `kill -9` at random moments under load: a 200 is a promise. Everything answered 200 is there after the restarts, was
 * delivered with the code that confirms it, and is confirmed once.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { accept, openGateway } from './gateway.ts';

const ROUNDS = Number(process.env.COUNTERSIGN_TEST_ROUNDS ?? 5);
const CLIENTS = 8;

const CONFIG = {
  limits: { requestsPerKey: [] },
  // A dead process's deliveries are taken over after the lease. The default would only make the test slower.
  delivery: { lease: '2s' },
};

interface Promised {
  readonly id: string;
  /** `unknown`: a confirm was under way when the service died. */
  confirmed: 'no' | 'yes' | 'unknown';
}

/** All the codes that reached the telephone for a verification. */
type CodesOf = (id: string) => readonly string[];

/** One client's work until the service dies under it: verify, and confirm about half. */
async function work(
  client: Client,
  promises: Promised[],
  codesOf: CodesOf,
  killed: AbortSignal,
): Promise<void> {
  while (!killed.aborted) {
    const answer = await client.verify(freshNumber());
    assert.equal(answer.status, 200, answer.text);
    const promised: Promised = { id: answer.json.id ?? '', confirmed: 'no' };
    promises.push(promised);
    await sleep(randomInt(15));
    if (randomInt(2) === 0) continue;
    const code = await eventually(async () => (killed.aborted ? null : codesOf(promised.id)[0]));
    if (code === null) return;
    assert.ok(code !== undefined, 'a message arrives while the service runs');
    promised.confirmed = 'unknown';
    const confirmed = await client.confirm(promised.id, code);
    assert.equal(confirmed.status, 200, confirmed.text);
    promised.confirmed = 'yes';
  }
}

/** Work that ends with the service's process. Any other error is a failure. */
async function workUntilKilled(...args: Parameters<typeof work>): Promise<void> {
  try {
    await work(...args);
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^ECONN|^EPIPE/.test(String(error.code))) return;
    throw error;
  }
}

async function crashUnderLoad(service: Service, rounds: number, codesOf: CodesOf): Promise<Promised[]> {
  const promises: Promised[] = [];
  // On a busy machine a round may end before its first answer.
  for (let round = 0; round < rounds || promises.length <= rounds; round++) {
    const client = createClient(service);
    const killed = new AbortController();
    const clients = Array.from({ length: CLIENTS }, () =>
      workUntilKilled(client, promises, codesOf, killed.signal),
    );
    await sleep(randomInt(20, 600));
    killed.abort();
    await service.kill9();
    await Promise.all(clients);
    client.close();
    await service.restart();
  }
  return promises;
}

async function checkPromises(client: Client, promises: readonly Promised[], codesOf: CodesOf): Promise<void> {
  const rest = [...promises];
  const check = async () => {
    for (let promised = rest.pop(); promised !== undefined; promised = rest.pop()) {
      const { id, confirmed } = promised;
      const codes = await eventually(async () => {
        const codes = codesOf(id);
        return codes.length > 0 ? codes : undefined;
      }, 30_000);
      assert.ok(codes !== undefined, `${id} was answered 200 and never delivered`);
      const [code = ''] = codes;
      assert.equal(new Set(codes).size, 1, 'a code may be sent twice, but it is the same one');
      const first = await client.confirm(id, code);
      const expected = { no: [200], yes: [409], unknown: [200, 409] }[confirmed];
      assert.ok(expected.includes(first.status), `${id} confirmed: ${confirmed}, then ${first.status}`);
      const second = await client.confirm(id, code);
      assert.deepEqual([second.status, problemOf(second)], [409, 'already-confirmed']);
    }
  };
  await Promise.all(Array.from({ length: 32 }, check));
}

/** Counts are written together with what they count: no crash separates them. */
function checkCounts({ dataDir }: Service): void {
  using db = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true });
  // Both of one moment: what was written and never answered may still be on its way.
  db.exec('BEGIN');
  const counted = db.prepare(`
    SELECT sum(requested) AS requested, sum(submitted) AS submitted, sum(confirmed) AS confirmed FROM tally`);
  const kept = db.prepare(`
    SELECT count(*) AS requested,
      count(*) FILTER (WHERE EXISTS (SELECT 1 FROM attempt
        WHERE verification_id = verification.id AND outcome IN ('accepted', 'delivered'))) AS submitted,
      count(confirmed_at) AS confirmed
    FROM verification`);
  assert.deepEqual(counted.get(), kept.get());
}

test(`${ROUNDS} crashes lose nothing of what was promised`, async (t) => {
  await using gateway = await openGateway();
  // Slow enough that every crash finds submits under way.
  gateway.behave((message, response, request) => {
    setTimeout(() => accept(message, response, request), randomInt(40));
  });
  await using service = await startService({
    config: {
      ...CONFIG,
      carriers: { gateway: gateway.carrier },
      routes: [{ channel: 'sms', carriers: ['gateway'] }],
    },
  });
  let indexed = 0;
  const byId = new Map<string, string[]>();
  const codesOf: CodesOf = (id) => {
    for (const message of gateway.received.slice(indexed)) {
      byId.set(message.id, [...(byId.get(message.id) ?? []), message.code]);
    }
    indexed = gateway.received.length;
    return byId.get(id) ?? [];
  };
  const promises = await crashUnderLoad(service, ROUNDS, codesOf);
  t.diagnostic(`${promises.length} verifications answered 200, ${gateway.received.length} messages sent`);
  assert.ok(promises.length > ROUNDS);
  await checkPromises(service.client, promises, codesOf);
  checkCounts(service);
});
