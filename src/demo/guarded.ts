/** Shows the week to the guard as the service would have: each request and each typed code in its turn. */
import { lookAtPerson } from '../core/body/signals.ts';
import { type Clock, SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { MINUTE_MS } from '../core/seams/spans.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Caller } from '../core/verification/request.ts';
import { Guard } from '../guard/guard.ts';
import { LiveGuard } from '../guard/live/live-guard.ts';
import { MemoryKeeper } from '../guard/live/memory-keeper.ts';
import { GuardRecord } from '../guard/live/record.ts';
import { NUMBER } from '../guard/parameters.ts';
import type { Store } from '../store/port.ts';
import type { DemoAccount } from './account.ts';
import { priceAtDemo, routeOfDemo } from './carriers.ts';
import type { PlannedCode } from './week.ts';

interface GuardDeps {
  readonly store: Store;
  readonly keyring: Keyring;
}

/** The service writes down each second what the guard did. So many flushes to the disk would take a minute. */
const WRITTEN_MS = 5 * MINUTE_MS;

const UNCOUNTED = { guardDecided() {}, guardSaved() {}, watchGuard() {} };

/** What the guard let pass, in order. What it did and learnt until `now` is in the store. */
export async function guardWeek(
  { store, keyring }: GuardDeps,
  account: DemoAccount,
  week: readonly PlannedCode[],
  now: number,
): Promise<readonly PlannedCode[]> {
  let time = week[0]?.at ?? now;
  const clock: Clock = { ...SYSTEM_CLOCK, now: () => time, wall: () => time, steady: () => time };
  const guard = new Guard({ origin: time - NUMBER.knownFor });
  const kept = { guard, clock, now: () => time, random: store.random, records: store, log() {} };
  const record = new GuardRecord({ ...kept, priceOf: priceAtDemo, metrics: UNCOUNTED });
  await using memory = new MemoryKeeper({ ...kept, shared: false });
  await memory.start();
  const live = new LiveGuard({
    ...{ guard, clock, mode: 'enforce', exempt: new Set() },
    numberOf: keyring.recipientTag,
    onPass: record.passed,
    onRefusal: record.refused,
  });

  const passed: PlannedCode[] = [];
  const due = week.flatMap((code): Step[] => {
    const { number, country, channel, ip, key, guesses } = code;
    // Messages of test keys do not leave the machine: the guard is not asked.
    if (key === 'staging') return [{ at: code.at, run: () => void passed.push(code) }];
    const caller: Caller = { accountId: account.id, keyId: account.keys[key], test: false };
    const { clientNetwork, device, judged } = lookAtPerson(keyring, account.id, { ip }, 'drawn');
    const destination = { address: number, country, kind: 'e164' } as const;
    const typed = { caller, country, clientNetwork, device, isEvidence: true };
    let isSent = false;
    const ask = () => {
      const route = routeOfDemo(channel, destination);
      const verdict = live.judge({ caller, channel, destination, route, clientNetwork, device, judged });
      isSent = verdict.passes;
      if (!verdict.passes) return verdict.refused();
      verdict.written();
      passed.push(code);
    };
    const type = (isRight: boolean) => () => {
      if (!isSent) return;
      if (isRight) live.confirmed(typed, number);
      else live.mismatched(typed);
    };
    return [{ at: code.at, run: ask }, ...guesses.map(({ at, isRight }) => ({ at, run: type(isRight) }))];
  });
  for (const { at, run } of due.sort((a, b) => a.at - b.at)) {
    for (let next = time - (time % WRITTEN_MS) + WRITTEN_MS; next <= at; next += WRITTEN_MS) {
      time = next;
      await record.write();
    }
    time = at;
    run();
  }
  time = now;
  await record.write();
  return passed;
}

interface Step {
  readonly at: number;
  readonly run: () => void;
}
