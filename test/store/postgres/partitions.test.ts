import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { repairPartitions } from '../../../src/store/postgres/schema/partitions.ts';
import { lowestUuid } from '../../../src/store/postgres/verifications/verification-id.ts';
import { startPostgres } from '../../postgres.ts';
import { DAY, guessAt, issueOne } from '../contract/rig.ts';
import { openNode, openNodes } from './rig.ts';

const ROUNDS = 16;
const CODES = 40;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

suite('a day without a partition', () => {
  test('codes of it are issued and confirmed by nodes whose connections are new', async (t) => {
    const postgres = await startPostgres();
    t.after(() => postgres.dispose());
    const url = await postgres.createDatabase(postgres.schema);
    const [one, other] = await openNodes(t, url, 2);
    assert.ok(one !== undefined && other !== undefined);
    const createdAt = Date.now() - 40 * DAY;
    const issued = Array.from({ length: CODES }, (_, i) =>
      issueOne(i % 2 === 0 ? one : other, { createdAt }),
    );
    const confirmed = (await Promise.all(issued)).map((v, i) =>
      (i % 2 === 0 ? other : one).confirm(guessAt(v, 'right')),
    );
    for (const { kind } of await Promise.all(confirmed)) assert.equal(kind, 'confirmed');
  });

  // Without the repair, one of some twenty sessions that first use the table just then never hears of the partition.
  test('no session goes on without its partition, also if it opened during the repair', async (t) => {
    const postgres = await startPostgres();
    t.after(() => postgres.dispose());
    const url = await postgres.createDatabase();
    await (await openNode(url)).close();
    const maker = await connect(url);
    for (let day = 1; day <= ROUNDS; day++) {
      const plan = `EXPLAIN UPDATE verification SET guesses_left = 0 WHERE id = '${lowestUuid(day * DAY)}'`;
      const open = async () => {
        const session = await connect(url);
        await session.query(plan);
        return session;
      };
      const [, ...sessions] = await Promise.all([
        repairPartitions(maker, [day]),
        ...Array.from({ length: 4 }, open),
      ]);
      for (const session of sessions) {
        const { rows } = await session.query(plan);
        assert.match(JSON.stringify(rows), /verification_1970/);
        await session.end();
      }
    }
    await maker.end();
  });
});
