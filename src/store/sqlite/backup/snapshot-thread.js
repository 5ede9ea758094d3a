/** The entry of the thread that makes a backup. Plain JavaScript, because a thread starts without the compile cache. */
import '../../../runtime/compile-cache.js';

await import('./snapshot.ts');
