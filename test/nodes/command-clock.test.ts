/** Commands on a machine whose clock is wrong: what they write is read by nodes whose clocks are right. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { lendDatabase } from '../emptied-databases.ts';
import { runInPlace } from '../run-in-place.ts';

const MINUTE = 60_000;

for (const [words, ahead] of [
  ['ahead', 60 * MINUTE],
  ['behind', -60 * MINUTE],
] as const) {
  test(`on a machine that is an hour ${words}, a key is made now, a pause of ten minutes ends in ten, and an invitation is not over`, async (t) => {
    const { url, giveBack } = await lendDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'countersign-command-clock-'));
    const client = new pg.Client(url);
    await client.connect();
    t.after(async () => {
      await client.end();
      await giveBack();
      await rm(folder, { recursive: true });
    });
    const { now } = Date;
    const begun = now();
    t.mock.method(Date, 'now', () => now() + ahead);
    const run = async (...args: string[]) => {
      const env = {
        PATH: process.env.PATH,
        COUNTERSIGN_STORE_URL: url,
        COUNTERSIGN_SECRET: 'RkS-3hcPyqkQ2mWzJ8xVb9L0tUeGd7Ya',
      };
      const { status, stderr } = await runInPlace(args, { folder, env });
      assert.equal(status, 0, stderr);
    };
    await run('keys', 'create', '--name', 'shop', '--init');
    await run(...['guard', 'pause', '--country', 'MA', '--for', '10m', '--reason', 'a flood']);
    await run('portal', 'invite', '--email', 'olive@example.com', '--role', 'owner');
    const { rows } = await client.query<Record<'made' | 'ends' | 'begun', string>>(
      `SELECT (SELECT created_at FROM api_key) AS made, (SELECT ends_at FROM guard_rule) AS ends,
        (SELECT created_at FROM invitation) AS begun`,
    );
    const [row] = rows;
    assert.ok(row !== undefined);
    const near = (time: string, wanted: number) =>
      assert.ok(Math.abs(Number(time) - wanted) < 5 * MINUTE, `${Number(time) - wanted} ms off`);
    near(row.made, begun);
    near(row.ends, begun + 10 * MINUTE);
    near(row.begun, begun);
  });
}
