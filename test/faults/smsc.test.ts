/** The whole service over an SMSC that refuses, throttles, drops connections, goes away and comes back. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../acceptance/client.ts';
import { Smsc } from '../carriers/smpp/smsc.ts';
import { type Service, startService } from '../service.ts';
import { type Gateway, openGateway } from './gateway.ts';

const startWith = (smsc: Smsc, others: Record<string, object>, routes?: readonly object[]) =>
  startService({
    config: {
      limits: { requestsPerKey: [] },
      carriers: {
        smsc: {
          type: 'smpp',
          host: '127.0.0.1',
          port: smsc.port,
          systemId: 'u',
          password: 'p',
          source: 'Acme',
          breaker: { failures: 3, resetAfter: '200ms' },
        },
        ...others,
      },
      routes: routes ?? [{ channel: 'sms', carriers: ['smsc', ...Object.keys(others)] }],
    },
  });

/** Of Germany, and of a country for which there is no other carrier. */
const [EVERY_CARRIER, ONLY_SMSC] = ['+49151', '+43664'];

let numbers = randomInt(1e6);

/** A mobile number of its own; its last digits decide what the SMSC does with it. By default it delivers. */
const numberEnding = (fate = '11', prefix = EVERY_CARRIER) =>
  `${prefix}${String(numbers++ % 1e6).padStart(6, '0')}${fate}`;

async function verify(service: Service, to: string): Promise<{ id: string; to: string }> {
  const { status, json, text } = await service.client.verify(to);
  assert.equal(status, 200, text);
  return { id: json.id ?? '', to };
}

const codeAt = (smsc: Smsc, to: string) =>
  smsc.seen.findLast((message) => `+${message.to}` === to)?.text.match(/\d{6}/)?.[0];

const counted = async (service: Service, name: string) => {
  const { text } = await service.client.get('/metrics', { key: null });
  return new RegExp(`^countersign_verifications_${name}_total\\{.*carrier="smsc"\\} (\\d+)$`, 'm').exec(
    text,
  )?.[1];
};

/** Waits until a message goes over the link: that it was made says nothing of what the service knows. No receipt follows. */
async function bound(smsc: Smsc, service: Service): Promise<void> {
  const before = smsc.seen.length;
  const isUsed = async () => {
    await verify(service, numberEnding('88', ONLY_SMSC));
    await sleep(100);
    return smsc.seen.length > before || undefined;
  };
  assert.ok(await eventually(isUsed, 30_000), 'the link was not bound');
}

suite('an SMSC', { concurrency: false }, () => {
  const parts = new AsyncDisposableStack();
  let smsc: Smsc;
  let gateway: Gateway;
  let service: Service;
  before(async () => {
    smsc = parts.use(await new Smsc({}).start());
    gateway = parts.use(await openGateway());
    service = parts.use(
      await startWith(smsc, { gateway: gateway.carrier }, [
        { channel: 'sms', countries: ['AT'], carriers: ['smsc'] },
        { channel: 'sms', carriers: ['smsc', 'gateway'] },
      ]),
    );
    await bound(smsc, service);
  });
  after(() => parts.disposeAsync());
  const atGateway = (id: string, patienceMs: number) =>
    eventually(async () => gateway.received.find((message) => message.id === id), patienceMs);

  test('receipts move messages to delivered and undelivered, and the undelivered to the next carrier', async () => {
    const delivered = await verify(service, numberEnding());
    const undelivered = await verify(service, numberEnding('99'));
    assert.equal(await eventually(() => counted(service, 'delivered'), 10_000), '1');
    assert.equal(await eventually(() => counted(service, 'undelivered'), 10_000), '1');
    const moved = await atGateway(undelivered.id, 10_000);
    assert.equal(moved?.code, codeAt(smsc, undelivered.to), 'the same code goes on');
    assert.equal(
      gateway.received.some(({ id }) => id === delivered.id),
      false,
    );
  });

  test('throttled, then sent; dropped after submit_sm, then sent elsewhere', async () => {
    const throttled = await verify(service, numberEnding('77', ONLY_SMSC));
    const times = () => smsc.seen.filter(({ to }) => `+${to}` === throttled.to).length;
    assert.ok(await eventually(async () => times() === 2 || undefined, 15_000), 'it was not sent again');
    assert.equal((await service.client.confirm(throttled.id, codeAt(smsc, throttled.to) ?? '')).status, 200);

    const dropped = await verify(service, numberEnding('66'));
    const moved = await atGateway(dropped.id, 15_000);
    assert.equal((await service.client.confirm(dropped.id, moved?.code ?? '')).status, 200);
  });

  test('while it is away the next carrier takes over, nothing is lost, and it has its traffic back when it returns', async () => {
    await bound(smsc, service);
    await smsc.stop();
    const waiting = await Promise.all(
      Array.from({ length: 30 }, () => verify(service, numberEnding('11', ONLY_SMSC))),
    );
    for (let i = 0; i < 10; i++) {
      const { id } = await verify(service, numberEnding());
      const message = await atGateway(id, 10_000);
      assert.equal((await service.client.confirm(id, message?.code ?? '')).status, 200);
    }
    await using back = await new Smsc({ port: smsc.port }).start();
    for (const { id, to } of waiting) {
      const code = await eventually(async () => codeAt(back, to), 30_000);
      assert.equal((await service.client.confirm(id, code ?? '')).status, 200);
    }
    const returned = await eventually(async () => {
      const { to } = await verify(service, numberEnding());
      await sleep(200);
      return codeAt(back, to);
    }, 15_000);
    assert.ok(returned, 'the SMSC was not used again');
  });
});

test('a sender that the SMSC refuses is reported to the operator, while messages go elsewhere', async () => {
  await using smsc = await new Smsc({ refusal: 0x0a }).start();
  await using gateway = await openGateway();
  await using service = await startWith(smsc, { gateway: gateway.carrier });
  await bound(smsc, service);
  for (let i = 0; i < 3; i++) {
    const { id } = await verify(service, numberEnding());
    assert.ok(await eventually(async () => gateway.received.find((received) => received.id === id), 10_000));
  }
  const shown = await eventually(async () => {
    // It fails for it.
    const doctor = await service.command('doctor').catch(({ stdout }: { stdout: string }) => stdout);
    return doctor.includes('ESME_RINVSRCADR') ? doctor : undefined;
  }, 10_000);
  assert.match(shown ?? '', /^fail {2}carrier smsc: .*account or settings: ESME_RINVSRCADR, the sender/m);
  // What runs writes its log twice a second, and what stops writes all of it.
  assert.equal(await service.stop(), 0);
  assert.equal(service.logs().split('refuses our account or settings').length - 1, 1, 'once a minute');
});

test('a wrong password is said in the log, without the password, and messages go elsewhere', async () => {
  await using smsc = await new Smsc({}).start();
  await using gateway = await openGateway();
  await using service = await startService({
    config: {
      carriers: {
        smsc: {
          type: 'smpp',
          host: '127.0.0.1',
          port: smsc.port,
          systemId: 'u',
          password: 'wrong-pass',
          source: 'Acme',
        },
        gateway: gateway.carrier,
      },
      routes: [{ channel: 'sms', carriers: ['smsc', 'gateway'] }],
    },
  });
  const { id } = await verify(service, numberEnding());
  assert.ok(await eventually(async () => gateway.received.find((received) => received.id === id), 10_000));
  assert.ok(await eventually(async () => service.logs().includes('ESME_RINVPASWD') || undefined, 10_000));
  assert.equal(await service.stop(), 0);
  assert.equal(service.logs().includes('wrong-pass'), false);
});
