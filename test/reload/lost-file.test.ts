/** The configuration file is away, empty, or in a new folder when a running service reads it again. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../acceptance/client.ts';
import { type Behaviour, openGateway } from '../faults/gateway.ts';
import { provideCertificate, type Service, startService } from '../service.ts';

const GERMAN = '+4915112345678';
const AMERICAN = '+14155550123';

const taken: Behaviour = (message, response) =>
  void response.writeHead(200).end(JSON.stringify({ id: message.id }));

/** As the systemd unit runs it: `countersign.yaml` in the working directory, which no variable names. */
const UNNAMED = { COUNTERSIGN_CONFIG: '' };

const refusals = (service: Service) =>
  service
    .logs()
    .split('\n')
    .filter((line) => line.includes('config.refused'));

/** Sends the signal, and resolves with why the configuration was refused. */
async function signal(service: Service): Promise<string> {
  const before = refusals(service).length;
  process.kill(service.pid, 'SIGHUP');
  const line = await eventually(async () => refusals(service)[before], 20_000);
  return JSON.parse(line ?? '{}').problems?.join() ?? 'not refused';
}

test('without its file a service goes on as before: live codes go to its carriers, to its countries', async () => {
  await using gateway = await openGateway();
  gateway.behave(taken);
  const config = {
    carriers: { own: gateway.carrier },
    routes: [{ channel: 'sms', carriers: ['own'] }],
    guard: { countries: ['DE'] },
  };
  const folder = await mkdtemp(join(tmpdir(), 'countersign-lost-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  await provideCertificate(dataDir);
  const service = stack.use(await startService({ config, dataDir, env: UNNAMED }));
  const place = await readlink(`/proc/${service.pid}/cwd`);
  const file = join(place, 'countersign.yaml');
  let sent = 0;
  const goesOn = async () => {
    assert.equal((await service.client.verify(AMERICAN)).status, 400);
    assert.equal((await service.client.verify(GERMAN)).status, 200);
    sent += 1;
    assert.ok(await eventually(async () => gateway.received.length >= sent || undefined, 20_000));
  };
  await goesOn();

  await rename(file, `${file}.bak`);
  assert.match(await signal(service), /countersign\.yaml: is gone; .*if you want the defaults, restart/);
  await goesOn();
  await writeFile(file, '');
  assert.match(await signal(service), /countersign\.yaml: the file is empty; /);
  await goesOn();
  await writeFile(file, 'carriers:\nroutes:\n');
  assert.match(await signal(service), /countersign\.yaml: holds no options any more; /);
  await goesOn();

  // As a deployment does that removes the folder and writes it again.
  await rm(place, { recursive: true });
  assert.match(await signal(service), /countersign\.yaml: is gone; /);
  await goesOn();
  await mkdir(place);
  await writeFile(file, JSON.stringify({ ...config, guard: { countries: ['US'] } }));
  process.kill(service.pid, 'SIGHUP');
  const isTaken = async () => service.logs().includes('config.reloaded') || undefined;
  assert.ok(await eventually(isTaken, 20_000));
  assert.equal((await service.client.verify(GERMAN)).status, 400);
});
