/** Starts the command line. Plain JavaScript, because the compile cache must be on before any TypeScript is loaded. */
import './compile-cache.js';

// No static imports: those are all loaded before the first of them runs.
if (process.argv[2] === 'serve') (await import('./signals.ts')).holdSignals();
await import('../cli.ts');
