/** A store that was moved into PostgreSQL, next to its copy there. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Progress } from '../../../src/core/reporting/progress.ts';
import { moveStore } from '../../../src/store/move/move.ts';
import type { Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { lendDatabase } from '../../emptied-databases.ts';
import type { Rules } from '../contract/rig.ts';
import { addressOf, openNode } from '../postgres/rig.ts';

interface Sides {
  readonly original: Store;
  readonly copy: Store;
  readonly url: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** A store that `fill` was run on, and its copy, in a database that had the schema and no row. */
export async function copied(
  t: TestContext,
  rules: Rules,
  fill: (store: Store) => Promise<void>,
): Promise<Sides> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-copy-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const open = () => openSqliteStore({ dataDir, exclusive: true, ...rules });
  const filled = await open();
  try {
    await fill(filled);
  } finally {
    await filled.close();
  }
  const { url, giveBack } = await lendDatabase();
  const reports: Progress[] = [];
  const outcome = await moveStore({
    dataDir,
    address: addressOf(url),
    ...rules,
    opens: () => true,
    report: (progress) => void reports.push(progress),
  });
  assert.ok(outcome.kind === 'moved');
  const ends = new Map(reports.map(({ step, done, total }) => [step, [done, total]]));
  assert.deepEqual(ends.get('checking the store'), [undefined, undefined]);
  for (const [name, count] of outcome.counts) {
    if (count > 0) assert.deepEqual(ends.get(`copying ${name}`), [count, count]);
  }
  const [original, copy] = await Promise.all([open(), openNode(url, rules)]);
  t.after(async () => {
    await Promise.all([original.close(), copy.close()]);
    await giveBack();
  });
  return { original, copy, url, counts: outcome.counts };
}

export async function assertSame(
  { original, copy }: Sides,
  call: (store: Store) => Promise<unknown>,
): Promise<void> {
  assert.deepEqual(await call(copy), await call(original));
}
