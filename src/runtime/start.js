/** Starts the command line. Plain JavaScript, because the compile cache must be on before any TypeScript is loaded. */
import './compile-cache.js';

// Not a static import: those are all loaded before the first of them runs.
await import('../cli.ts');
