import type { ClientBase } from 'pg';

/** Runs `work` as one transaction. Commits if `isDone` of its result is true, and rolls back otherwise. */
export async function inTransaction<T>(
  client: ClientBase,
  work: () => Promise<T>,
  isDone: (result: T) => boolean = () => true,
  begin: () => Promise<unknown> = () => client.query('BEGIN'),
): Promise<T> {
  try {
    await begin();
    const result = await work();
    await client.query(isDone(result) ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
