/**
 * Keeps the heap small: by default V8 lets garbage grow to several times the live objects before it is collected.
 */
import { setFlagsFromString } from 'node:v8';

export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=25');
  // V8 watches which places of the code make objects that survive, and may then make all of theirs old from birth. What belongs to a
  // request often survives one collection and no second one. Whether V8 falls for that differs from one process to the next;
  // where it does, whole heaps are collected three times as often, and `/verify` is a fifth slower for as long as the process lives.
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** Keeps the young generation at its first size: for a stream of short-lived lines a larger one buys nothing. */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
