/**
 * Programs that tests start. How far one is, it says itself, or its port does: no clock decides, because a machine that tests share
 * may take many times what a start takes alone. One that fails ends by itself.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isListening } from './free-port.ts';

export const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;

export interface Output {
  /** Everything that it wrote so far. */
  said(): string;
  /** Resolves with that when it has written these words, or has ended. */
  until(words: string | RegExp): Promise<string>;
}

/** What a program writes, to its standard output or the other. Call it in the turn in which the program is started. */
export function outputOf(child: ChildProcess): Output {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let text = '';
  let look = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
      look();
    });
  }
  return {
    said: () => text,
    async until(words) {
      const isSaid = () => (typeof words === 'string' ? text.includes(words) : words.test(text));
      const heard = new Promise<void>((resolve) => {
        look = () => {
          if (isSaid()) resolve();
        };
      });
      look();
      await Promise.race([heard, closed]);
      return text;
    },
  };
}

/** Whether it listens; false if it ended before. */
export async function untilListening(child: ChildProcess, port: number): Promise<boolean> {
  while (isRunning(child)) {
    if (await isListening(port)) return true;
    await sleep(20);
  }
  return false;
}
