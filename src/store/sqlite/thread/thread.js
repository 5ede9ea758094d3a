/**
 * The entry of the store's threads, because a thread starts without the compile cache of its process. Its first text says
 * that it is ready, or why it is not; before it there may be objects, which say how far a migration is.
 */
import { parentPort, workerData } from 'node:worker_threads';
import '../../../runtime/compile-cache.js';

try {
  await import(workerData.module);
} catch (error) {
  const { packFailure } = await import('./failure.ts');
  parentPort?.postMessage(JSON.stringify(packFailure(error)));
}
