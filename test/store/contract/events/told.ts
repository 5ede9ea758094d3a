/** What a sender tells over a real connection, while numbers are erased. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { addWebhook } from '../../../../src/accounts/webhooks/endpoints.ts';
import { THE_SERVICE } from '../../../../src/core/accounts/actor.ts';
import { sealDetails } from '../../../../src/core/body/details.ts';
import { SYSTEM_CLOCK } from '../../../../src/core/seams/clock.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import { sealField } from '../../../../src/core/secrets/sealed-field.ts';
import { createPost, type PostOptions } from '../../../../src/events/post.ts';
import { Sender } from '../../../../src/events/sender.ts';
import type { Store } from '../../../../src/store/port.ts';
import { eventually } from '../../../acceptance/client.ts';
import { issueOne, newVerification, type OpenStore, openFor } from '../rig.ts';
import { dueOf, newAccount } from './rig.ts';

const LOOPBACK = ['127.0.0.0/8'];

/** An endpoint that gets whole numbers, its sender, and what it was told. */
async function openTold(t: TestContext, store: Store, lookUp?: PostOptions['lookUp']) {
  const keyring = new Keyring('a secret of forty characters, for tests..');
  const bodies: string[] = [];
  const unanswered: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    unanswered.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const accountId = await newAccount(store);
  const made = await addWebhook(
    { records: store, keyring, privateNetworks: LOOPBACK },
    { accountId, by: THE_SERVICE, now: Date.now(), url, types: [], fullNumbers: true },
  );
  assert.ok(made.kind === 'added');
  const sender = new Sender({
    ...{ records: store, queue: store, keyring, clock: SYSTEM_CLOCK, node: 'node', lease: 600_000 },
    bounds: { perEndpoint: 1, atOnce: 1 },
    openPost: (to) =>
      createPost(to, {
        ...{ clock: SYSTEM_CLOCK, connections: 1, timeoutMs: 60_000, privateNetworks: LOOPBACK, lookUp },
      }),
    tried: () => {},
    log: () => {},
    random: () => 0,
  });
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await sender.stop();
  });
  return {
    ...{ bodies, sender, webhookId: made.id },
    answer: () => void unanswered.shift()?.writeHead(204).end(),
    async issue(number: string) {
      const { id } = newVerification();
      return await issueOne(store, {
        ...{ id, accountId },
        destinationSealed: sealField(keyring, number, id, 'destination'),
        detailsSealed: sealDetails(keyring, {}, { name: `who has ${number}` }, id),
      });
    },
    /** Until the endpoint was told so much. */
    told: (count: number) =>
      eventually(async () => {
        await sender.findWork();
        return bodies.length >= count || undefined;
      }),
  };
}

const erase = (store: Store, { id, destinationHash }: { id: string; destinationHash: string }) =>
  store.transact([
    { erase: { ids: [id], destinationHashes: [destinationHash], receiptIds: [], now: Date.now() } },
  ]);

export function describeToldEvents(open: OpenStore): void {
  suite('what webhooks tell', () => {
    test('is nothing of a number that was erased while its message waited behind a slow one', async (t) => {
      const { store } = await openFor(t, open);
      const { bodies, sender, webhookId, issue, answer, told } = await openTold(t, store);
      const numbers = Array.from({ length: 6 }, (_, i) => `+49151230000${i}`);
      const issued = [];
      for (const number of numbers) issued.push(await issue(number));
      await sender.look();
      assert.ok(await told(1));
      const last = issued.at(-1);
      assert.ok(last !== undefined);
      await erase(store, last);
      const isOver = await eventually(async () => {
        answer();
        await sender.write();
        await sender.findWork();
        return (await dueOf(store, webhookId)).length === 0 || undefined;
      });
      assert.ok(isOver);
      assert.equal(bodies.length, 5);
      const about = (number: string) => bodies.filter((body) => body.includes(number)).length;
      assert.deepEqual(numbers.map(about), [1, 1, 1, 1, 1, 0]);
    });

    test('is nothing of a number that was erased while the endpoint was being reached', async (t) => {
      const { store } = await openFor(t, open);
      const asked = Promise.withResolvers<() => void>();
      const lookUp: unknown = (_: string, __: object, found: (error: null, addresses: object[]) => void) =>
        asked.resolve(() => found(null, [{ address: '127.0.0.1', family: 4 }]));
      const { bodies, sender, webhookId, issue } = await openTold(t, store, lookUp as PostOptions['lookUp']);
      const erased = await issue('+491512300099');
      await sender.look();
      await sender.findWork();
      const reach = await asked.promise;
      // Whatever is read before the endpoint is reached has been asked for by now.
      await turn();
      await erase(store, erased);
      reach();
      const isOver = await eventually(async () => {
        await sender.write();
        return bodies.length > 0 || (await dueOf(store, webhookId)).length === 0 || undefined;
      });
      assert.ok(isOver);
      assert.deepEqual(bodies, []);
    });
  });
}
