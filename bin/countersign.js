#!/usr/bin/env node
/**
 * The entry. Plain JavaScript that Node reads from version 18 on: an older Node than the service needs hands over to the one
 * that npm installed beside the packages.
 */
import { existsSync } from 'node:fs';

const NEEDED = 26;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  const { runOnNewNode } = await import('./new-node.js');
  runOnNewNode(NEEDED, new URL(import.meta.url));
} else {
  // A checkout runs its TypeScript. A package holds what was compiled from it, because Node reads none below node_modules.
  const inCheckout = existsSync(new URL('../src', import.meta.url));
  await import(inCheckout ? '../src/runtime/start.js' : '../dist/src/runtime/start.js');
}
