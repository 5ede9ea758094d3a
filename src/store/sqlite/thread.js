/** Where the store's thread begins: a thread starts without its process's compile cache. */
import '../../compile-cache.js';

await import('./worker.ts');
