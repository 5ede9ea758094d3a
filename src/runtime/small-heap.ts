/**
 * Keeps the heap small: by default V8 lets garbage grow to several times the live objects before it is collected.
 */
import { setFlagsFromString } from 'node:v8';

export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=25');
}
