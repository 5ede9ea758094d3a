/** The thread for long queries: it reads beside the writer (WAL) and sees everything that was committed. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { storeFile } from '../file/folder.ts';
import { createCarrierStates } from '../messages/carrier-states.ts';
import { createEarlyReceipts } from '../messages/early-receipts.ts';
import { createSenders } from '../messages/senders.ts';
import { createTallies } from '../statistics/tallies.ts';
import { createArchive } from '../verifications/archive.ts';
import { createHistory } from '../verifications/history.ts';
import { CLOSE, READY, type Result } from './batch.ts';
import type { ThreadOptions } from './call-thread.ts';
import { packFailure } from './failure.ts';

const { dataDir, retention } = workerData as ThreadOptions;
const port = parentPort;
if (port === null) throw new Error('runs only as a worker thread');

const db = new DatabaseSync(storeFile(dataDir), { readOnly: true, timeout: 5_000 });
// Enough to group a year of days without a temporary file; freed after each answer.
db.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY');
const queries = {
  ...createTallies(db),
  ...createCarrierStates(db),
  ...createEarlyReceipts(db),
  ...createArchive(db, retention.verifications),
  ...createHistory(db, retention.verifications),
  ...createSenders(db, retention.verifications),
};
export type Queries = typeof queries;
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
