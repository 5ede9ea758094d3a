/** `kill -9` between two channels: each message that one channel took goes on by the next exactly once, with the same code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { THEN } from '../../src/core/sending/routing.ts';
import { createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { startService } from '../service.ts';
import { openGateway } from './gateway.ts';

const KILLS = Number(process.env.COUNTERSIGN_TEST_FALLBACK_KILLS ?? 3);
/** As many as fit in before the first message is due. */
const KILLS_AT_ONCE = 3;
const MESSAGES = 40;

test(`${KILLS} crashes between two channels: each message goes on once`, async () => {
  await using texts = await openGateway();
  await using calls = await openGateway();
  await using service = await startService({
    config: {
      limits: { requestsPerKey: [] },
      delivery: { lease: '2s' },
      carriers: { texts: texts.carrier, calls: { ...calls.carrier, channels: ['voice'] } },
      routes: [
        {
          channel: 'sms',
          carriers: ['texts'],
          [THEN]: { channel: 'voice', carriers: ['calls'], after: '5s' },
        },
      ],
    },
  });
  for (let killed = 0; killed < KILLS; ) {
    const client = createClient(service);
    const ids = await Promise.all(
      Array.from({ length: MESSAGES }, async () => {
        const answer = await client.verify(freshNumber());
        assert.equal(answer.status, 200, answer.text);
        return answer.json.id ?? '';
      }),
    );
    client.close();
    const of = (received: typeof texts.received) => received.filter(({ id }) => ids.includes(id));
    assert.ok(await eventually(async () => (of(texts.received).length === MESSAGES ? true : undefined)));
    // What a carrier took is settled some milliseconds later.
    await sleep(300);
    for (let round = 0; round < KILLS_AT_ONCE && killed < KILLS; round++) {
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
