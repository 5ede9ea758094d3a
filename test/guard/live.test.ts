/**
 * An attack on a running service, over HTTPS, through to a gateway. The hour that it takes is compressed into seconds, and the
 * same requests at the same moments are then replayed: what is refused must be the same.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseLimit } from '../../src/core/verification/limits.ts';
import { RecordedTraffic } from '../../src/guard/recorded/recorded-traffic.ts';
import { eventually, problemOf, wrongCode } from '../acceptance/client.ts';
import { openGateway } from '../faults/gateway.ts';
import { type Service, startService } from '../service.ts';
import { adjacent } from './world/parts/pumping.ts';
import { plan } from './world/scenario.ts';

/** `COUNTERSIGN_TEST_LIVE_SECONDS=300` gives places the time to close by what is four minutes old. */
const SECONDS = Number(process.env.COUNTERSIGN_TEST_LIVE_SECONDS ?? 20);
const HOURS = 1.8;
const LIMITS = ['5/10m', '20/1d'].flatMap((text) => parseLimit(text) ?? []);

const attack = plan('live', 'attack', 'a range is pumped, beside people', [adjacent], {
  ...{ history: [0.5, 0.5], hours: [1, 1], calm: [0.1, 0.2], perDay: [4_000, 5_000] },
});

/** Keys of the service for those of the world, made when they are first used. */
function keyring(service: Service): (account: string, key: string) => Promise<string> {
  const keys = new Map<string, Promise<string>>();
  return (account, key) => {
    const name = `${account} ${key}`;
    const made = keys.get(name) ?? service.createKey(key, { account: account });
    keys.set(name, made);
    return made;
  };
}

suite('an attack on a running service', () => {
  test('is refused as in the replay, and the answer says nothing of why', async (t) => {
    await using gateway = await openGateway();
    await using service = await startService({
      config: {
        limits: { requestsPerKey: [], sendsPerDestination: ['5/10m', '20/1d'] },
        carriers: { gateway: gateway.carrier },
        routes: [{ channel: 'sms', carriers: ['gateway'] }],
      },
      env: { COUNTERSIGN_GUARD_MODE: 'enforce' },
    });
    const keyOf = keyring(service);
    const scenario = attack.run(3);
    const traffic = new RecordedTraffic({ sendsPerDestination: LIMITS, requestsPerKey: [] });
    const sent = new Map<string, { readonly id: string; readonly key: string }>();
    let [asked, same, refused] = [0, 0, 0];
    const codeOf = (id: string) =>
      eventually(async () => gateway.received.findLast((message) => message.id === id)?.code, 5_000);

    let first: number | undefined;
    const begun = performance.now();
    for (let event = scenario.next(); event !== undefined; event = scenario.next()) {
      first ??= Date.parse(event.at);
      const due = ((Date.parse(event.at) - first) / HOURS / 3_600_000) * SECONDS * 1_000;
      await sleep(Math.max(0, begun + due - performance.now()));
      const at = Date.now();
      const verification = sent.get(event.ref);
      if (event.op === 'confirm' && verification !== undefined) {
        const { id, key } = verification;
        const code = (await codeOf(id)) ?? '';
        await service.client.confirm(id, event.ok ? code : wrongCode(code), { key });
        traffic.confirm(event.ref, at, event.ok);
      }
      if (event.op !== 'verify') continue;
      const key = await keyOf(event.account, event.key);
      const body = { destination: event.destination, channel: 'sms', signals: event.client ?? {} };
      const answer = await service.client.post('/verify', body, { key });
      const allowed = answer.status === 200;
      scenario.decided(event.ref, allowed);
      if (allowed) sent.set(event.ref, { id: answer.json.id ?? '', key });
      if (answer.status === 400) continue;
      asked += 1;
      const { decision } = traffic.verify({ ...event, channel: 'sms', at, ip: event.client?.ip });
      same += Number(allowed === (decision === 'allow'));
      if (problemOf(answer) !== 'guarded') continue;
      refused += 1;
      assert.equal(answer.headers['retry-after'], '60');
      assert.deepEqual(Object.keys(answer.json).sort(), ['detail', 'instance', 'status', 'title', 'type']);
    }
    const { attack: pumped, honest } = scenario.score();
    const letThrough = pumped.spendAllowed / pumped.spend;
    t.diagnostic(
      `${pumped.requests} pumped, ${(100 * letThrough).toFixed(1)} % let through; ${honest.refused} of ${honest.persons} people refused; ${same} of ${asked} as in the replay`,
    );
    assert.ok(refused > 500 && letThrough < 0.15, `${letThrough}`);
    assert.ok(honest.refused / honest.persons < 0.03, `${honest.refused} of ${honest.persons}`);
    // A millisecond between the two clocks may turn a probe.
    assert.ok(same >= asked * 0.99, `${same} of ${asked}`);
  });
});
