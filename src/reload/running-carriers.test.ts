import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import { loadText } from '../config/fixture.ts';
import { HASTY_CLOCK } from '../core/seams/clock-fixture.ts';
import type { Carrier, CarrierLink } from '../core/sending/carrier.ts';
import {
  ACCEPTED,
  messageWith,
  rememberingMetrics,
  scriptedCarrier,
  settled,
  until,
} from '../delivery/fixture.ts';
import { Rounds } from './rounds.ts';
import { RunningCarriers } from './running-carriers.ts';

assert.ok(CARRIER_TYPES.length > 0);

const carriersOf = (options: Record<string, string>) =>
  loadText(
    `carriers: ${JSON.stringify(
      Object.fromEntries(
        Object.entries(options).map(([name, url]) => [
          name,
          { type: 'http', url: `http://127.0.0.1/${url}`, json: { to: '{{to}}', code: '{{code}}' } },
        ]),
      ),
    )}\nroutes: [{ channel: sms, carriers: [${['simulator', ...Object.keys(options)].join(', ')}] }]`,
  ).carriers;

/** Each carrier that was made, with what became of it. */
function createFleet(linger = 0, linkOf: (made: number) => CarrierLink | undefined = () => undefined) {
  const events: string[] = [];
  const deliveryMetrics = rememberingMetrics();
  let made = 0;
  const running = new RunningCarriers({
    make: async (carriers) =>
      Object.keys(carriers).map((name): Carrier => {
        const link = linkOf(++made);
        const id = `${name}${made}`;
        return {
          ...scriptedCarrier(name, () => ACCEPTED),
          ...(link !== undefined && { link }),
          start: () => void events.push(`start ${id}`),
          stop: async () => void events.push(`stop ${id}`),
        };
      }),
    trace: (carriers) => carriers,
    ...{ deliveryMetrics, budget: undefined, clock: HASTY_CLOCK, linger },
    log: (_level, message) => events.push(message),
  });
  let rounds = new Rounds();
  const change = async (options: Record<string, string>) => {
    const { simulator: _, ...carriers } = carriersOf(options);
    const draft = await running.draft(carriers, () => undefined);
    running.start(draft);
    await running.linked(draft);
    const before = rounds;
    rounds = new Rounds();
    running.adopt(draft, before.drained);
    before.supersede();
    return draft;
  };
  return { running, events, deliveryMetrics, change, rounds: () => rounds };
}

suite('the carriers that run', () => {
  test('the same options: the same carrier goes on; others start, and then those before stop', async () => {
    const { running, events, change } = createFleet();
    await change({ a: 'x', b: 'x' });
    assert.deepEqual(events.splice(0), ['start a1', 'start b2']);
    const { carriers } = await change({ b: 'y', a: 'x' });
    assert.deepEqual(
      carriers.map(({ name }) => name),
      ['b', 'a'],
    );
    await until(() => events.length === 2);
    assert.deepEqual(events.splice(0), ['start b3', 'stop b2']);
    await running[Symbol.asyncDispose]();
    assert.deepEqual(events.sort(), ['stop a1', 'stop b3']);
  });

  test('a carrier stops when the last round that may ask it has ended, and not before', async () => {
    const { running, events, change, rounds } = createFleet();
    const { gates } = await change({ a: 'x' });
    const [gate] = gates;
    const during = rounds();
    during.entered();
    during.entered();
    await change({ a: 'y' });
    during.left();
    await settled();
    assert.deepEqual(events, ['start a1', 'start a2']);
    assert.equal(running.gates.length, 2);
    const answer = await gate?.submit(messageWith(), { wanted: true }, () => false);
    assert.equal(answer?.kind, 'accepted');
    during.left();
    await until(() => events.includes('stop a1'));
    assert.equal(running.gates.length, 1);
    await running[Symbol.asyncDispose]();
  });

  test('while it runs out it gets receipts, after the one in its place; of several only the newest stays', async () => {
    const { running, events, change } = createFleet(60_000);
    await change({ a: 'x', b: 'x' });
    await change({ a: 'y' });
    assert.equal(running.named('a').length, 2);
    assert.equal(running.named('b').length, 1);
    assert.equal(running.named('c').length, 0);
    await change({ a: 'z' });
    await until(() => events.includes('stop a1'));
    assert.equal(running.named('a').length, 2);
    assert.ok(!events.includes('stop a3'));
    await running[Symbol.asyncDispose]();
    assert.deepEqual(events.filter((event) => event.startsWith('stop')).sort(), [
      'stop a1',
      'stop a3',
      'stop a4',
      'stop b2',
    ]);
  });

  test('it goes at once if the one in its place has no link, which it may be in the way of', async () => {
    const link = (trouble: string | undefined): CarrierLink => ({ trouble, watch: () => {} });
    const { running, events, change } = createFleet(60_000, (made) =>
      link(made === 1 ? undefined : 'refused'),
    );
    await change({ a: 'x' });
    await change({ a: 'y' });
    await until(() => events.includes('stop a1'));
    await running[Symbol.asyncDispose]();
  });

  test('it goes at once if it has no link itself, and so hears nothing', async () => {
    const links: { trouble: string | undefined; watch: () => void }[] = [];
    const linkOf = () => {
      const link = { trouble: undefined, watch: () => {} };
      links.push(link);
      return link;
    };
    const { running, events, change } = createFleet(60_000, linkOf);
    await change({ a: 'x', b: 'x', c: 'x' });
    for (const link of links.slice(0, 2)) link.trouble = 'refused';
    await change({ a: 'y' });
    await until(() => events.includes('stop a1') && events.includes('stop b2'));
    assert.ok(!events.includes('stop c3'), 'who has a link stays');
    await running[Symbol.asyncDispose]();
  });

  test('it stays if another one has no link', async () => {
    const links: { trouble: string | undefined; watch: () => void }[] = [];
    const linkOf = () => {
      const link = { trouble: undefined, watch: () => {} };
      links.push(link);
      return link;
    };
    const { running, events, change } = createFleet(60_000, linkOf);
    await change({ a: 'x', b: 'x' });
    const [, other] = links;
    assert.ok(other !== undefined);
    other.trouble = 'ended';
    await change({ a: 'y', b: 'x' });
    await settled();
    assert.deepEqual(events, ['start a1', 'start b2', 'start a3']);
    assert.equal(running.named('a').length, 2);
    await running[Symbol.asyncDispose]();
  });

  test('the links of all new ones are waited for', async () => {
    const late: { trouble: string | undefined; watch: () => void } = {
      trouble: 'connecting',
      watch: () => {},
    };
    const { running } = createFleet(0, (made) =>
      made === 1 ? { trouble: undefined, watch: () => {} } : late,
    );
    const { simulator: _, ...carriers } = carriersOf({ a: 'x', b: 'x' });
    const draft = await running.draft(carriers, () => undefined);
    let isLinked = false;
    const linked = running.linked(draft).then(() => {
      isLinked = true;
    });
    await settled();
    assert.equal(isLinked, false);
    late.trouble = undefined;
    await linked;
    await running[Symbol.asyncDispose]();
  });

  test('what one says that is replaced is of no interest, and who is gone is dismissed', async () => {
    const said: ((trouble: string) => void)[] = [];
    const linkOf = (): CarrierLink => {
      const link: { trouble: string | undefined; watch: CarrierLink['watch'] } = {
        trouble: undefined,
        watch: (listener) =>
          void said.push((trouble) => {
            link.trouble = trouble;
            listener();
          }),
      };
      return link;
    };
    const { running, deliveryMetrics, change } = createFleet(60_000, linkOf);
    await change({ a: 'x', b: 'x' });
    said[0]?.('refused');
    assert.deepEqual(deliveryMetrics.told.splice(0), [
      'breaker closed',
      'breaker closed',
      'erred no link: refused',
    ]);
    await change({ a: 'y' });
    assert.deepEqual(deliveryMetrics.told.splice(0), ['breaker closed', 'dismissed b']);
    said[0]?.('ended');
    said[1]?.('ended');
    assert.deepEqual(deliveryMetrics.told, []);
    said[2]?.('ended');
    assert.deepEqual(deliveryMetrics.told, ['erred no link: ended']);
    await running[Symbol.asyncDispose]();
  });

  test('what cannot be made changes nothing', async () => {
    const { running, events, change } = createFleet();
    await change({ a: 'x' });
    const broken = new RunningCarriers({
      make: async () => Promise.reject(new Error('url: cannot be used')),
      trace: (carriers) => carriers,
      ...{ deliveryMetrics: rememberingMetrics(), budget: undefined, clock: HASTY_CLOCK, log: () => {} },
    });
    await assert.rejects(
      broken.draft(carriersOf({ a: 'y' }), () => undefined),
      /url/,
    );
    assert.deepEqual(events, ['start a1']);
    await running[Symbol.asyncDispose]();
  });
});
