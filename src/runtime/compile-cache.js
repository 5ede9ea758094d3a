/**
 * Turns on the compile cache. Plain JavaScript, and loaded before any TypeScript: one module that is not in the cache makes
 * Node load its type stripper, which costs each thread 17 MB and the start a tenth of a second. The cache is next to the
 * code, because in the shared temporary folder another user could plant code. If it cannot be written, Node does without.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/countersign', import.meta.url)));
