/** Putting a server under load and watching what it costs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { readCpu } from './process-usage.ts';
import type { Server } from './server.ts';

/** One request, or several in a row. Answers the status of the last, or undefined when there is nothing left to do. */
export type Step = (connection: Connection) => Promise<number | undefined>;

export interface Pattern {
  readonly seconds: number;
  readonly connections?: number;
  /** Steps begun a second, whether the earlier ones are over or not. Without it each connection goes on at once. */
  readonly rate?: number;
}

export interface Load {
  /** Steps that ended with 200 a second. */
  readonly perSecond: number;
  /** Processor time of the server for each of them. */
  readonly cpuMicros: number;
  /** Parts of a core that the server's main thread and this process were busy for. */
  readonly mainThread: number;
  readonly generator: number;
  /** Of each step that ended with 200, in ms; under a rate counted from when it was due. */
  readonly latencies: readonly number[];
  /** Steps that ended with another status. */
  readonly refused: number;
}

/** So many that a server which waits for its disk has always something to do. */
const CONNECTIONS = 256;
/** Deliveries that trail the last answer belong to the requests measured. */
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
      // A timer may ring a part of a millisecond early, which must not pass for speed.
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
