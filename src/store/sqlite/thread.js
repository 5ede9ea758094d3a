/** Where a thread of the store begins: a thread starts without its process's compile cache. */
import { workerData } from 'node:worker_threads';
import '../../compile-cache.js';

await import(workerData.module);
