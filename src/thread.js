/** Where a thread begins, since it starts without its process's compile cache. `workerData.module` is the address of what it runs. */
import { workerData } from 'node:worker_threads';
import './compile-cache.js';

await import(workerData.module);
