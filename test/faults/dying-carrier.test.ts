/**
 * A carrier that dies under load, in each way that differs for the service. The others deliver every code; because of the breaker the dead
 * one is rarely asked, and gets its traffic back when it returns.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, eventually, freshNumber } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { accept, type Behaviour, type Gateway, hang, openGateway } from './gateway.ts';

const PER_SECOND = 120;
const CONNECTIONS = 50;
const PATIENCE_MS = 30_000;
/** Values of the metric `carrier_breaker_state`. */
const [CLOSED, OPEN] = [0, 2];

interface Load extends AsyncDisposable {
  /** When each verification that was answered 200 was requested, by id. */
  readonly promised: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** As many requests as are due, even if earlier ones have no answer yet. */
function startLoad(service: Service): Load {
  const client = createClient({ ...service, connections: 32 });
  const promised = new Map<string, number>();
  const underWay: Promise<void>[] = [];
  const begun = Date.now();
  const verify = async () => {
    const at = Date.now();
    const { status, json, text } = await client.verify(freshNumber());
    assert.equal(status, 200, text);
    promised.set(json.id ?? '', at);
  };
  const timer = setInterval(() => {
    while (underWay.length < ((Date.now() - begun) * PER_SECOND) / 1_000) underWay.push(verify());
  }, 5);
  async function stop(): Promise<void> {
    clearInterval(timer);
    await Promise.all(underWay);
    client.close();
  }
  return { promised, stop, [Symbol.asyncDispose]: stop };
}

interface Carriers extends AsyncDisposable {
  readonly first: Gateway;
  readonly service: Service;
  /** When each message was accepted, by id: more than once if it was sent again. */
  readonly taken: ReadonlyMap<string, readonly number[]>;
  readonly takes: Behaviour;
  /** Every message that arrived anywhere. */
  received(): Gateway['received'];
}

async function startWithThree(options: object): Promise<Carriers> {
  await using stack = new AsyncDisposableStack();
  const taken = new Map<string, number[]>();
  const takes: Behaviour = (message, response, request) => {
    taken.set(message.id, [...(taken.get(message.id) ?? []), Date.now()]);
    accept(message, response, request);
  };
  const [first, second, third] = [
    stack.use(await openGateway()),
    stack.use(await openGateway()),
    stack.use(await openGateway()),
  ];
  for (const gateway of [first, second, third]) gateway.behave(takes);
  const service = stack.use(
    await startService({
      config: {
        limits: { requestsPerKey: [] },
        carriers: Object.fromEntries(
          Object.entries({ first, second, third }).map(([name, { carrier }]) => [
            name,
            { ...carrier, concurrency: CONNECTIONS, ...options },
          ]),
        ),
        routes: [{ channel: 'sms', carriers: ['first', 'second', 'third'] }],
      },
    }),
  );
  const running = stack.move();
  return {
    first,
    service,
    taken,
    takes,
    received: () => [first, second, third].flatMap(({ received }) => received),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function read({ client }: Service, metric: string): Promise<number> {
  const { text } = await client.get('/metrics', { key: null });
  const line = text.split('\n').find((line) => line.startsWith(`${metric} `));
  return Number(line?.slice(metric.length) ?? 0);
}
const readBreaker = (service: Service) => read(service, 'countersign_carrier_breaker_state{carrier="first"}');
const readAttempts = (service: Service, outcome: string, carrier = 'first') =>
  read(service, `countersign_carrier_attempts_total{carrier="${carrier}",outcome="${outcome}"}`);
/** Answers that carriers which live gave too late, as a machine that tests share makes them do. */
const readLate = async (service: Service) =>
  (await readAttempts(service, 'temporary', 'second')) + (await readAttempts(service, 'temporary', 'third'));

async function becomes(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const held = await eventually(async () => ((await holds()) ? true : undefined), PATIENCE_MS);
  assert.ok(held, `in vain: ${what}`);
}

async function assertConfirmable(client: Client, load: Load, received: Gateway['received']): Promise<void> {
  const codes = Map.groupBy(received, ({ id }) => id);
  const rest = [...load.promised.keys()];
  const check = async () => {
    for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
      const sent = new Set(codes.get(id)?.map(({ code }) => code));
      assert.equal(sent.size, 1, 'a code may be sent twice, but it is the same one');
      const [code = ''] = sent;
      assert.equal((await client.confirm(id, code)).status, 200);
    }
  };
  await Promise.all(Array.from({ length: 32 }, check));
}

/** What a carrier took and was heard to take is not sent again. Each sending is an attempt, and at most one of them was heard. */
async function assertUnheard(client: Client, id: string, times: number): Promise<void> {
  const { attempts = [] } = (await client.get(`/verifications/${id}`)).json;
  const failed = attempts.filter(({ state }) => state === 'failed').length;
  assert.ok(attempts.length - failed <= 1, `heard to be taken ${attempts.length - failed} times`);
  assert.ok(failed >= times - 1, `taken ${times} times, though only ${failed} were not heard`);
}

const breakOff: Behaviour = (_, response, request) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
  response.write('{"id":"', () => request.socket.resetAndDestroy());
};

/** At once, after its timeout, or when the message may have been taken. */
const DEATHS: Readonly<Record<string, Behaviour | 'away'>> = {
  'refuses connections': 'away',
  hangs: hang,
  'breaks off its answers': breakOff,
};

suite('a carrier dies under load', { concurrency: false }, () => {
  let carriers: Carriers;
  before(async () => {
    carriers = await startWithThree({ timeout: '1s', breaker: { failures: 5, resetAfter: '1s' } });
  });
  after(() => carriers[Symbol.asyncDispose]());

  for (const [what, death] of Object.entries(DEATHS)) {
    test(`one that ${what} costs no code, and has its traffic back when it returns`, async (t) => {
      const { first, service, taken, takes } = carriers;
      await using load = startLoad(service);
      const atFirst = await readAttempts(service, 'accepted');
      const lateBefore = await readLate(service);
      const failedBefore = await readAttempts(service, 'temporary');
      await becomes(
        'the first carrier takes all',
        async () => (await readAttempts(service, 'accepted')) > atFirst + 100,
      );

      const failedAlive = (await readAttempts(service, 'temporary')) - failedBefore;
      const diedAt = Date.now();
      if (death === 'away') await first.close();
      else first.behave(death);
      await becomes('the breaker opens', async () => (await readBreaker(service)) === OPEN);
      // Messages under way at that moment may take their whole timeout.
      await sleep(1_500);
      const asked = await readAttempts(service, 'temporary');
      const answered = load.promised.size;
      await sleep(2_000);
      // If the machine stood still, what is due comes now.
      const due = answered + PER_SECOND;
      await becomes('as many again are asked for', () => load.promised.size >= due);
      const askedSince = (await readAttempts(service, 'temporary')) - asked;
      const answeredSince = load.promised.size - answered;
      assert.ok(askedSince * 20 < answeredSince, `asked ${askedSince} times for ${answeredSince} messages`);

      const returnedAt = Date.now();
      if (death === 'away') await first.open();
      else first.behave(takes);
      await becomes('the breaker closes', async () => (await readBreaker(service)) === CLOSED);
      const before = await readAttempts(service, 'accepted');
      const failedBack = await readAttempts(service, 'temporary');
      await becomes(
        'its traffic is back',
        async () => (await readAttempts(service, 'accepted')) > before + 100,
      );
      await load.stop();

      await becomes('all are delivered', () => load.promised.keys().every((id) => taken.has(id)));
      await assertConfirmable(service.client, load, carriers.received());
      const twice = load.promised
        .keys()
        .filter((id) => (taken.get(id)?.length ?? 0) > 1)
        .toArray();
      const late =
        (await readLate(service)) -
        lateBefore +
        failedAlive +
        (await readAttempts(service, 'temporary')) -
        failedBack;
      assert.ok(
        twice.length <= CONNECTIONS + late,
        'only what it had taken and not answered when it died is sent again, and what others answered too late',
      );
      for (const id of twice) await assertUnheard(service.client, id, taken.get(id)?.length ?? 0);
      const delays = load.promised
        .entries()
        .filter(([, at]) => at >= diedAt && at < returnedAt)
        .map(([id, at]) => (taken.get(id)?.[0] ?? Number.NaN) - at)
        .toArray()
        .toSorted((a, b) => a - b);
      const at = (part: number) => `${delays[Math.ceil(delays.length * part) - 1]} ms`;
      t.diagnostic(
        `${delays.length} asked for while it was dead: half within ${at(0.5)}, 99 % within ${at(0.99)}, ` +
          `all within ${at(1)}; ${twice.length} sent twice`,
      );
    });
  }
});

test('at most as many messages wait for a hanging carrier as it has connections', async () => {
  await using carriers = await startWithThree({ timeout: '2m' });
  const { first, service, taken } = carriers;
  first.behave(hang);
  await using load = startLoad(service);
  await becomes('several times as many are asked for', () => load.promised.size > CONNECTIONS * 5);
  await load.stop();
  const late = () =>
    load.promised
      .keys()
      .filter((id) => !taken.has(id))
      .toArray().length;
  await becomes('the others have the rest', () => late() <= CONNECTIONS);
  assert.equal(await readBreaker(service), CLOSED, 'before anybody could know that it is dead');
});
