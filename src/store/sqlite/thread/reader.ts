/** The thread for long queries: it reads beside the writer (WAL) and sees everything that was committed. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { storeFile } from '../file/folder.ts';
import { CLOSE, READY, type Result } from './batch.ts';
import type { ThreadOptions } from './call-thread.ts';
import { packFailure } from './failure.ts';
import { createQueries, type Queries } from './queries.ts';

const { dataDir, retention } = workerData as ThreadOptions;
const port = parentPort;
if (port === null) throw new Error('runs only as a worker thread');

const db = new DatabaseSync(storeFile(dataDir), { readOnly: true, timeout: 5_000 });
// Enough to group a year of days without a temporary file; freed after each answer.
db.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
const queries = createQueries(db, retention);
port.postMessage(READY);

type Question = readonly [name: keyof Queries, ...args: unknown[]];

port.on('message', (message: string) => {
  if (message === CLOSE) {
    db.close();
    port.close();
    return;
  }
  const questions: Question[] = JSON.parse(message);
  port.postMessage(JSON.stringify(questions.map(answer)));
  db.exec('PRAGMA shrink_memory');
});

function answer([name, ...args]: Question): Result {
  const query: (...args: never[]) => unknown = queries[name];
  try {
    return { value: query(...(args as never[])) };
  } catch (error) {
    return { failure: packFailure(error) };
  }
}
