/** Puts a server under load and measures what it costs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { readCpu } from './servers/process-usage.ts';
import type { Server } from './servers/server.ts';

/** One request, or several in a row. Returns the status of the last one; undefined if there is nothing left to do. */
export type Step = (connection: Connection) => Promise<number | undefined>;

export interface Pattern {
  readonly seconds: number;
  readonly connections?: number;
  /** Steps started per second, even if earlier ones have not finished. Without it each connection continues at once. */
  readonly rate?: number;
}

export interface Load {
  /** Steps per second that ended with 200. */
  readonly perSecond: number;
  /** Processor time of the server for each of them. */
  readonly cpuMicros: number;
  /** Fractions of a core used by the server's main thread and by this process. */
  readonly mainThread: number;
  readonly generator: number;
  /** Duration of each step that ended with 200, in ms. With a rate it counts from when the step was due. */
  readonly latencies: readonly number[];
  /** Steps that ended with another status. */
  readonly refused: number;
}

/** Enough that a server waiting for its disk always has something to do. */
const CONNECTIONS = 256;
/** Deliveries after the last answer belong to the measured requests. */
const TRAIL_MS = 200;

export async function drive(server: Server, pattern: Pattern, step: Step): Promise<Load> {
  const { seconds, connections: count = CONNECTIONS, rate } = pattern;
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(server.target)));
  const latencies: number[] = [];
  let refused = 0;
  let slots = 0;
  const cpuBefore = readCpu(server.pid);
  const busyBefore = performance.eventLoopUtilization();
  const started = performance.now();
  const deadline = started + seconds * 1_000;

  async function work(connection: Connection): Promise<void> {
    for (;;) {
      const now = performance.now();
      const dueAt = rate === undefined ? now : started + (slots++ * 1_000) / rate;
      if (dueAt >= deadline) return;
      if (dueAt > now) await sleep(dueAt - now);
      // A timer may fire a fraction of a millisecond early, which must not count as speed.
      const begun = Math.min(dueAt, performance.now());
      const status = await step(connection);
      if (status === undefined) return;
      if (status === 200) latencies.push(performance.now() - begun);
      else refused += 1;
    }
  }

  try {
    await Promise.all(connections.map(work));
    const elapsedMs = performance.now() - started;
    const generator = performance.eventLoopUtilization(busyBefore).utilization;
    const mainThread = (readCpu(server.pid).mainThreadMs - cpuBefore.mainThreadMs) / elapsedMs;
    await sleep(TRAIL_MS);
    const cpuMs = readCpu(server.pid).processMs - cpuBefore.processMs;
    return {
      perSecond: (latencies.length * 1_000) / elapsedMs,
      cpuMicros: (cpuMs * 1_000) / latencies.length,
      mainThread,
      generator,
      latencies,
      refused,
    };
  } finally {
    for (const connection of connections) connection.close();
  }
}
