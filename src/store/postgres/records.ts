import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Records, RecordsAnswer, Row, Step } from '../../core/records.ts';
import type { Database } from './database.ts';

const ANNOUNCE = 'UPDATE installation SET keys_revision = keys_revision + 1';

export function createRecords(db: Database): Records {
  const names = new Map<string, string>();

  async function run(client: ClientBase, { sql, args }: Step): Promise<Row[]> {
    let name = names.get(sql);
    if (name === undefined) {
      name = `records_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
      names.set(sql, name);
    }
    const { rows } = await client.query<Row>({ name, text: sql, values: [...args] });
    return rows;
  }

  return {
    transact: (steps, announce = false) =>
      db.transaction(
        async (client): Promise<RecordsAnswer> => {
          const rows: Row[][] = [];
          for (const [index, step] of steps.entries()) {
            const found = await run(client, step);
            if (step.guard && found.length === 0) return { done: false, refusedBy: index };
            rows.push(found);
          }
          if (announce) await client.query(ANNOUNCE);
          return { done: true, rows };
        },
        (answer) => answer.done,
      ),
  };
}
