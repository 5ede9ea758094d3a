/** A store file that is damaged on disk: no request is half done, and the damage is reported. */
import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type Answer, eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { overwrite } from '../store/damage.ts';

const CONFIG = { limits: { requestsPerKey: [] } };

function assertUnavailable(answer: Answer): void {
  assert.equal(answer.status, 503, answer.text);
  assert.equal(problemOf(answer), 'unavailable');
}

/** A verification in the file, and an empty log beside it. */
async function withVerification(service: Service): Promise<{ id: string; code: string }> {
  const issued = await service.client.issue(freshNumber());
  assert.equal(await service.stop(), 0);
  return issued;
}

const notReady = ({ client }: Service) =>
  eventually(async () => {
    const answer = await client.get('/readyz');
    return answer.status === 503 ? answer.text : undefined;
  });

suite('damage on disk', { concurrency: false }, () => {
  let service: Service;
  before(async () => {
    service = await startService({ config: CONFIG });
  });
  after(() => service[Symbol.asyncDispose]());

  test('is answered 503, makes the service not ready, and is logged', async () => {
    const { id, code } = await withVerification(service);
    const before = service.logs().length;
    await service.restart();
    const [file, whole] = [join(service.dataDir, 'countersign.db'), join(service.dataDir, 'whole')];
    await copyFile(file, whole);
    // A page that is already in the service's memory is not read again: the start reads the newest verifications.
    overwrite(service.dataDir, 'tally');

    assertUnavailable(await service.client.verify(freshNumber()));
    assertUnavailable(await service.client.confirm(id, code));
    assert.deepEqual(JSON.parse((await notReady(service)) ?? ''), {
      status: 'not ready',
      parts: { store: 'damaged' },
    });
    assert.equal((await service.client.get('/healthz')).status, 200, 'the process is alive');
    const logged = await eventually(async () =>
      service
        .logs()
        .slice(before)
        .split('\n')
        .find((line) => line.includes('database disk image is malformed')),
    );
    assert.equal(JSON.parse(logged ?? '{}').level, 'error');
    assert.ok(logged?.includes(file), 'the log says where');

    await assert.rejects(
      service.command('doctor'),
      (error: { stdout?: string; code?: number }) =>
        error.code === 1 && /^fail {2}store.*damaged.*countersign restore/m.test(error.stdout ?? ''),
    );

    // Not below the running service: what it reads while the file is half there would stay in its memory.
    await service.stop();
    await copyFile(whole, file);
    await Promise.all(['-wal', '-shm'].map((log) => rm(`${file}${log}`, { force: true })));
    await service.restart();
    assert.equal((await service.client.confirm(id, code)).status, 200, 'the refusal spent nothing');
  });

  test('that nothing has run into is found by doctor', async () => {
    await withVerification(service);
    assert.match(
      await service.command('doctor'),
      /^ok {4}store file: .*countersign\.db is intact: \d+\.\d MiB read/m,
    );
    overwrite(service.dataDir, 'attempt');
    await assert.rejects(
      service.command('doctor'),
      (error: { stdout?: string; code?: number }) =>
        error.code === 1 && /^fail {2}store file: .*damaged.*countersign restore/m.test(error.stdout ?? ''),
    );
  });
});
