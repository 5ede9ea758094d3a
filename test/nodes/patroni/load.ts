/** Load on one node: asks for codes all the time, and knows what it was promised. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, eventually, freshNumber, problemOf } from '../../acceptance/client.ts';
import type { Gateway } from '../../faults/gateway.ts';

const CLIENTS = 6;
const AT_ONCE = 20;
/** A node may refuse an older server for a minute. */
const BACK_MS = 120_000;

export interface Load {
  /** Verifications that were answered 200. */
  readonly promised: number;
  /** The longest time without a 200 until the stop, in ms. */
  readonly away: number;
  stop(): Promise<void>;
  /** Confirms what was promised; answers how many are lost. */
  countLost(): Promise<number>;
}

export function startLoad(client: Client, gateway: Gateway): Load {
  const ids: string[] = [];
  const over = new AbortController();
  let servedAt = performance.now();
  let away = 0;
  const work = async () => {
    while (!over.signal.aborted) {
      await sleep(randomInt(200));
      const { status, json } = await client.verify(freshNumber());
      if (status !== 200) continue;
      ids.push(json.id ?? '');
      away = Math.max(away, performance.now() - servedAt);
      servedAt = performance.now();
    }
  };
  const working = Promise.all(Array.from({ length: CLIENTS }, work));
  const codeOf = (id: string) => gateway.received.find((message) => message.id === id)?.code;
  const isLost = async (id: string) => {
    const deadline = Date.now() + BACK_MS;
    // Without a message there is no code, and a wrong one shows as well whether the verification exists.
    for (;;) {
      const answer = await client.confirm(id, codeOf(id) ?? '000000');
      if (answer.status !== 503) return problemOf(answer) === 'verification-not-found';
      // The node may not have found a server yet.
      if (Date.now() > deadline) throw new Error('the node does not come back');
      await sleep(200);
    }
  };
  return {
    get promised() {
      return ids.length;
    },
    get away() {
      return away;
    },
    async stop() {
      away = Math.max(away, performance.now() - servedAt);
      over.abort();
      await working;
    },
    async countLost() {
      // What a node had not sent when its store went away is sent when its lease ends.
      await eventually(async () => (ids.every((id) => codeOf(id) !== undefined) ? true : undefined), 20_000);
      let lost = 0;
      for (let first = 0; first < ids.length; first += AT_ONCE) {
        const some = await Promise.all(ids.slice(first, first + AT_ONCE).map(isLost));
        lost += some.filter(Boolean).length;
      }
      return lost;
    },
  };
}
