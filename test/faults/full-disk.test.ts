/**
 * A full disk: 503 and nothing half done, and normal service once there is room. The disk is a small tmpfs if it may be
 * mounted (Linux, as root); otherwise a limit on the size of files replaces it.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Answer, eventually, freshNumber, problemOf } from '../acceptance/client.ts';
import { type Service, startService } from '../service.ts';
import { canMount, fillDisk, mountSmallDisk, SIZE_MIB } from './small-disk.ts';

const CONFIG = { limits: { requestsPerKey: [] }, delivery: { lease: '2s' } };

interface Issued {
  readonly id: string;
  readonly destination: string;
}

/** Requests verifications until one is refused; returns those that were accepted, and the refusal. */
async function issueUntilRefused(
  service: Service,
): Promise<{ accepted: Issued[]; refusal: Answer; refused: string }> {
  const accepted: Issued[] = [];
  for (let i = 0; i < 100_000; i++) {
    const destination = freshNumber();
    const answer = await service.client.verify(destination);
    if (answer.status !== 200) return { accepted, refusal: answer, refused: destination };
    accepted.push({ id: answer.json.id ?? '', destination });
  }
  throw new Error('the disk never filled');
}

function assertUnavailable(answer: Answer, problems = ['unavailable']): void {
  assert.equal(answer.status, 503, answer.text);
  assert.ok(problems.includes(problemOf(answer) ?? ''), answer.text);
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
}

async function assertKept(service: Service, { id, destination }: Issued): Promise<void> {
  const { code } = await service.client.message(destination, id);
  assert.equal((await service.client.confirm(id, code)).status, 200);
}

/** An answer is repeated for a while, so the wanted one may take a moment. */
const untilReadiness = ({ client }: Service, wanted: number) =>
  eventually(async () => ((await client.get('/readyz')).status === wanted ? wanted : undefined), 20_000);

if (canMount()) {
  test('a full disk is answered 503, loses nothing that was promised, and the service recovers', async () => {
    using disk = mountSmallDisk();
    await using service = await startService({ config: CONFIG, dataDir: join(disk.folder, 'data') });
    const before = freshNumber();
    const early = { ...(await service.client.issue(before)), destination: before };
    const late = await service.client.issue(freshNumber());

    const filler = join(disk.folder, 'filler');
    await fillDisk(filler);
    const { accepted, refusal, refused } = await issueUntilRefused(service);
    assertUnavailable(refusal);
    assertUnavailable(await service.client.verify(refused));
    assertUnavailable(await service.client.confirm(late.id, late.code));
    assert.equal(await untilReadiness(service, 503), 503);
    assert.equal((await service.client.get('/healthz')).status, 200, 'the process is alive');

    await rm(filler);
    assert.equal(await untilReadiness(service, 200), 200, 'room on the disk is enough to go on');
    assert.equal((await service.client.confirm(late.id, late.code)).status, 200, 'the refusal spent nothing');
    await assertKept(service, early);
    for (const issued of accepted) await assertKept(service, issued);
    assert.deepEqual(await service.client.messages(refused), [], 'a refused request sends nothing');
    await service.client.issue(refused);
    assert.equal((await service.client.messages(refused)).length, 1, 'nor later');
  });
} else if (process.platform !== 'win32') {
  test('a file that may not grow answers 503 and keeps what was promised', async () => {
    // In blocks of 512 bytes; SIGXFSZ is ignored by Node, so the write fails as on a full disk.
    await using service = await startService({
      config: CONFIG,
      wrap: ['sh', '-c', `ulimit -f ${SIZE_MIB * 2048}; exec "$@"`, 'sh'],
    });
    const { accepted, refusal, refused } = await issueUntilRefused(service);
    // To SQLite this is no full disk but a broken one, of which nobody knows what a commit left there.
    assertUnavailable(refusal, ['unavailable', 'outcome-unknown']);
    assert.deepEqual(await service.client.messages(refused), []);
    const sample = accepted.slice(0, 20);
    for (const { id, destination } of sample) await service.client.message(destination, id);
  });
}
