/**
 * Keeps the heap small: by default V8 lets garbage grow to several times the live objects before it is collected.
 */
import { setFlagsFromString } from 'node:v8';

export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=25');
}

/** Keeps the young generation at its first size: for a stream of short-lived lines a larger one buys nothing. */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
