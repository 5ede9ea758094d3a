/**
 * Where a thread of the store begins: a thread starts without its process's compile cache. Its first message is that it is
 * ready, or why it is not.
 */
import { parentPort, workerData } from 'node:worker_threads';
import '../../runtime/compile-cache.js';

try {
  await import(workerData.module);
} catch (error) {
  const { packFailure } = await import('./failure.ts');
  parentPort?.postMessage(JSON.stringify(packFailure(error)));
}
