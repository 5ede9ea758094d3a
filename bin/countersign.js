#!/usr/bin/env node
import '../src/runtime/compile-cache.js';

// Not a static import: those are all loaded before the first of them runs.
await import('../src/cli.ts');
