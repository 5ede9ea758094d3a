/** `kill -9` between two channels: each message that one channel took goes on by the next exactly once, with the same code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { THEN } from '../../src/core/sending/routing.ts';
import { createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { startService } from '../service.ts';
import { openGateway } from './gateway.ts';

const KILLS = Number(process.env.COUNTERSIGN_TEST_FALLBACK_KILLS ?? 3);
/** A message that is being sent when its process dies may go twice: that is for the other tests of crashes. */
const LAST_KILL_MS = 7_000;
const MESSAGES = 40;

test(`${KILLS} crashes between two channels: each message goes on once`, async () => {
  await using texts = await openGateway();
  await using calls = await openGateway();
  await using service = await startService({
    config: {
      limits: { requestsPerKey: [] },
      carriers: { texts: texts.carrier, calls: { ...calls.carrier, channels: ['voice'] } },
      routes: [
        {
          channel: 'sms',
          carriers: ['texts'],
          [THEN]: { channel: 'voice', carriers: ['calls'], after: '10s' },
        },
      ],
    },
  });
  for (let killed = 0; killed < KILLS; ) {
    const client = createClient(service);
    const startedAt = Date.now();
    const ids = await Promise.all(
      Array.from({ length: MESSAGES }, async () => {
        const answer = await client.verify(freshNumber());
        assert.equal(answer.status, 200, answer.text);
        return answer.json.id ?? '';
      }),
    );
    const of = (received: typeof texts.received) => received.filter(({ id }) => ids.includes(id));
    const isSettled = async (id: string) => {
      const { attempts = [] } = (await client.get(`/verifications/${id}`)).json;
      return attempts.some(({ state }) => state === 'submitted');
    };
    for (const id of ids) assert.ok(await eventually(async () => (await isSettled(id)) || undefined));
    client.close();
    assert.equal(of(texts.received).length, MESSAGES, 'each went once by the first channel');
    while (killed < KILLS && Date.now() < startedAt + LAST_KILL_MS) {
      await service.kill9();
      await service.restart();
      killed++;
    }
    assert.ok(
      await eventually(async () => (of(calls.received).length >= MESSAGES ? true : undefined), 30_000),
      'none is lost',
    );
    await sleep(500);
    const codes = new Map(of(texts.received).map(({ id, code }) => [id, code]));
    assert.equal(codes.size, MESSAGES);
    assert.equal(of(texts.received).length, MESSAGES, 'none goes by the first channel again');
    assert.equal(of(calls.received).length, MESSAGES, 'none goes on twice');
    for (const { id, code } of of(calls.received)) assert.equal(code, codes.get(id));
  }
});
