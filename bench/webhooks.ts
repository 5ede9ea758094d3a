/** What webhooks cost: `/verify` at saturation while a thousand events a second are sent, as a part of the same without. */
import { get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { addWebhook, disableWebhook, enableWebhook } from '../src/accounts/webhooks/endpoints.ts';
import { loadConfig } from '../src/config/fixture.ts';
import { findSecret } from '../src/config/secret.ts';
import { COMMAND_LINE } from '../src/core/accounts/actor.ts';
import { Keyring } from '../src/core/secrets/keyring.ts';
import { query } from '../src/core/sql/records.ts';
import { ensureSelfSigned } from '../src/http/connection/tls.ts';
import { openStore } from '../src/store/open.ts';
import { format, medianRow, ratioRow, type Section } from './figures.ts';
import { drive, type Load } from './load.ts';
import type { Phones } from './peers/phones.ts';
import { freePort, makeKey, type Server, startService } from './servers/server.ts';
import type { Workplace } from './servers/workplace.ts';
import { verifying } from './steps.ts';
import { type Rounds, refusals } from './throughput.ts';

const RATE = 1_000;
const TARGET = 0.9;
/** Longer than the service takes to notice a change. */
const NOTICED_MS = 1_500;
const NETWORKS = ['127.0.0.0/8', '::1'];

export async function measureWebhooks(
  place: Workplace,
  phones: Phones,
  { rounds, seconds }: Rounds,
): Promise<Section> {
  const folder = place.folder('webhooks');
  // Before the start, which reads the certificates to trust.
  const files = await ensureSelfSigned(folder);
  const port = await freePort();
  const server = new URL('./servers/webhook-server.ts', import.meta.url).pathname;
  const receiver = place.spawn([server, String(port), files.cert, files.key], {}, `${folder}/receiver.log`);
  const service = await startService(
    place,
    phones,
    folder,
    { webhooks: { privateNetworks: NETWORKS } },
    { NODE_EXTRA_CA_CERTS: files.cert },
  );
  const key = await makeKey(folder, 'hooked');
  const hooked: Server = { ...service, target: { ...service.target, key } };
  await using endpoint = await openEndpoint(folder, `https://localhost:${port}/`);
  const countTaken = () => readCount(port, service.target.ca);

  const round = async (): Promise<readonly Load[]> => {
    const step = () => verifying(phones, 'simulator');
    return await Promise.all([
      drive(service, { seconds }, step()),
      drive(hooked, { seconds, rate: RATE, connections: 64 }, step()),
    ]);
  };
  await endpoint.use(true);
  await round();
  const [ratios, sent, loads]: [number[], number[], Load[]] = [[], [], []];
  for (let i = 0; i < rounds; i++) {
    await endpoint.use(false);
    const without = await round();
    await endpoint.use(true);
    const before = await countTaken();
    const withEvents = await round();
    sent.push(((await countTaken()) - before) / seconds);
    const total = (all: readonly Load[]) => all.reduce((sum, { perSecond }) => sum + perSecond, 0);
    ratios.push(total(withEvents) / total(without));
    loads.push(...without, ...withEvents);
  }
  const steady = async (wanted: boolean): Promise<number> => {
    await endpoint.use(wanted);
    const load = await drive(hooked, { seconds: seconds * 2, rate: RATE }, verifying(phones, 'simulator'));
    loads.push(load);
    return load.cpuMicros;
  };
  const without = await steady(false);
  const perEvent = (await steady(true)) - without;
  await service.stop();
  await place.end(receiver);
  return {
    title: `/verify at saturation beside ${format(RATE, 0)} events a second to one endpoint`,
    rows: [
      ratioRow('part of the same without an endpoint', ratios, TARGET),
      medianRow('events that arrived in the rounds', sent, '/s'),
      medianRow('processor for each event, at that rate alone', [perEvent], 'us'),
      medianRow('processor for each request without', [without], 'us'),
      ...refusals(loads),
    ],
  };
}

/** An endpoint of the account `hooked`, which is used or not. */
async function openEndpoint(folder: string, url: string) {
  const config = loadConfig({ COUNTERSIGN_DATA_DIR: folder });
  const store = await openStore(config, { exclusive: false });
  const keyring = new Keyring(findSecret(folder) ?? '');
  const [account] = await query(store, "SELECT id FROM account WHERE name = 'hooked'");
  const accountId = String(account?.id);
  const by = { accountId, by: COMMAND_LINE };
  const made = await addWebhook(
    { records: store, keyring, privateNetworks: NETWORKS },
    { ...by, now: Date.now(), url, types: ['verification.requested'], fullNumbers: false },
  );
  if (made.kind !== 'added') throw new Error('the endpoint was not added');
  const { id } = made;
  return {
    async use(wanted: boolean): Promise<void> {
      const change = { ...by, id, now: Date.now(), mayGiveNumbers: false };
      if (wanted) await enableWebhook(store, change);
      else await disableWebhook(store, change, 'by-hand');
      await sleep(NOTICED_MS);
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

function readCount(port: number, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, ca, host: 'localhost', agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(Number(text));
    }).on('error', reject);
  });
}
