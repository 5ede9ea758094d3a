/**
 * A 200 leaves after the commit is on the disk. `kill -9` cannot show it, since the kernel keeps what was written;
 * the order of the system calls can.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, eventually, freshNumber } from '../acceptance/client.ts';
import { startService } from '../service.ts';

const REQUESTS = 10;
/** Long enough for a delivery to settle, so that the next commit belongs to the next request. */
const QUIET_MS = 300;

// A container may have strace and yet be forbidden to trace.
const canTrace = process.platform === 'linux' && spawnSync('strace', ['-f', 'true']).status === 0;

/** A finished sync of the write-ahead log, and the start of a write to a socket; standard output (1, 2) is one too. */
const SYNCED = /\bf(?:data)?sync\(\d+<[^>]*-wal>\)\s+= 0|<\.\.\. f(?:data)?sync resumed>\)\s+= 0/;
const SENT = /\b(?:write|writev|sendto|sendmsg)\((?![12]<)\d+<(?:socket|TCP)/;

async function traced(trace: string, ask: () => Promise<Answer>): Promise<string[]> {
  await sleep(QUIET_MS);
  const start = (await readFile(trace, 'utf8')).length;
  assert.equal((await ask()).status, 200);
  const lines = await eventually(async () => {
    const lines = (await readFile(trace, 'utf8')).slice(start).split('\n');
    return lines.some((line) => SENT.test(line)) ? lines : undefined;
  });
  assert.ok(lines !== undefined, 'the answer was traced');
  return lines;
}

function assertSyncedBeforeSent(lines: readonly string[]): void {
  const synced = lines.findIndex((line) => SYNCED.test(line));
  const sent = lines.findIndex((line) => SENT.test(line));
  const excerpt = lines.slice(0, sent + 1).join('\n');
  assert.ok(synced >= 0 && synced < sent, `the answer left before the sync:\n${excerpt}`);
}

if (canTrace) {
  test('the write-ahead log is synced before the answer is sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-trace-'));
    const trace = join(folder, 'trace');
    try {
      await using service = await startService({
        // -D keeps the service the direct child, which signals and exit codes then belong to.
        wrap: [
          'strace',
          '-D',
          '-f',
          '-y',
          '-s',
          '16',
          '-o',
          trace,
          '-e',
          'trace=fsync,fdatasync,write,writev,sendto,sendmsg',
        ],
      });
      const { client } = service;
      // The handshake is over before anything is looked at.
      await client.get('/healthz');
      for (let i = 0; i < REQUESTS; i++) {
        const destination = freshNumber();
        let id = '';
        assertSyncedBeforeSent(
          await traced(trace, async () => {
            const answer = await client.verify(destination);
            id = answer.json.id ?? '';
            return answer;
          }),
        );
        const { code } = await client.message(destination, id);
        assertSyncedBeforeSent(await traced(trace, () => client.confirm(id, code)));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
