/** How an honest person goes about it: asks, waits, asks again, types the code, or gives up. */

import { drawDelay, isDelivered } from '../lands/land.ts';
import type { Ledger, Visit } from '../ledger.ts';
import type { Random } from '../random.ts';
import type { Stage } from '../stage.ts';
import { type Person, remember } from './account.ts';

/** What the service's own limit per destination allows in ten minutes, less one. */
const MAX_SENDS = 4;
const CODE_IS_VALID = 10 * 60_000;

export function visit(stage: Stage, ledger: Ledger, person: Person, random: Random): void {
  const { crowd, number, key, ip, converts } = person;
  const { account, land } = crowd;
  const isImpatient = random.chance(account.impatient);
  const mayTry = random.whole(2, 8);
  let entry: Visit | undefined;
  let tries = 0;
  let sends = 0;
  let isDone = false;

  function ask(channel: 'sms' | 'voice'): void {
    if (isDone) return;
    const address = account.passesAddresses ? ip : undefined;
    tries++;
    stage.ask({ account: account.name, key, destination: number, channel, ip: address }, answer);
  }

  function answer(allowed: boolean, ref: string): void {
    if (entry === undefined) entry = ledger.arrive(stage.now, land, allowed);
    else ledger.retry(stage.now, entry, allowed);
    if (allowed) expect(ref);
    else if (tries < mayTry && !random.chance(0.15)) {
      stage.after(Math.min(240_000, Math.max(3_000, random.logNormal(30_000, 1))), () => ask('sms'));
    }
  }

  function expect(ref: string): void {
    sends++;
    const arrives = isDelivered(land, number, stage.now, random);
    if (account.passesReceipts && (arrives || random.chance(0.5))) {
      stage.after(random.between(1_000, 9_000), () => stage.receive(ref, arrives ? 'delivered' : 'failed'));
    }
    const patience =
      isImpatient && sends === 1 ? random.between(12_000, 40_000) : random.between(45_000, 150_000);
    // Who is impatient asks before the code is there.
    const delay = drawDelay(land, random) + (isImpatient && sends === 1 ? patience : 0);
    if (arrives && converts) {
      stage.after(delay, () => type(ref));
    } else if (!arrives && converts && random.chance(0.2)) {
      // Held back until the outage is over.
      const over = Math.max(...land.outages.map(({ to }) => to)) - stage.now + random.between(0, 60_000);
      if (over + delay < CODE_IS_VALID) stage.after(over + delay, () => type(ref));
    }
    const asksAgain = isImpatient && sends === 1 ? true : random.chance(arrives ? 0.12 : 0.65);
    if (asksAgain && sends < MAX_SENDS) {
      stage.after(patience, () => ask(random.chance(account.calls) ? 'voice' : 'sms'));
    }
  }

  function type(ref: string): void {
    if (isDone) return;
    if (random.chance(account.mistyped)) {
      stage.confirm(ref, false);
      stage.after(random.between(4_000, 20_000), () => confirm(ref));
    } else confirm(ref);
  }

  function confirm(ref: string): void {
    if (isDone) return;
    isDone = true;
    remember(person, stage.now, random);
    stage.confirm(ref, true);
  }

  ask(random.chance(account.callsFirst) ? 'voice' : 'sms');
}
