/** Traffic that earns an operator money: numbers of its ranges, and nobody who wants a code. */

import { countThrough, drawFromRange, type NumberRange } from './lands/numbers.ts';
import type { Account } from './people/account.ts';
import type { Random } from './random.ts';
import type { Scene } from './scene.ts';

export type Habit = 'persist' | 'next-range' | 'next-account' | 'slow-down' | 'anything';
export const HABITS: readonly Habit[] = ['persist', 'next-range', 'next-account', 'slow-down', 'anything'];

export interface Campaign {
  /** Where the bots have found a form to fill in, in the order in which they use them. */
  readonly accounts: readonly Account[];
  /** All accounts at once. */
  readonly spread: boolean;
  /** All the ranges that pay, in the order in which they are taken up; round again after the last. */
  readonly ranges: readonly NumberRange[];
  /** How many of them are in use at a time. */
  readonly width: number;
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  readonly pace: 'even' | 'rising' | 'bursts';
  /** The share of messages that bots confirm. */
  readonly confirmed: number;
  /** Messages to one number in a row. */
  readonly perNumber: number;
  readonly order: 'counting' | 'random';
  readonly channel: 'sms' | 'voice';
  readonly ip: (land: NumberRange, random: Random) => string;
  /** What they do after so many refusals in a row. */
  readonly habit: Habit;
  readonly patience: number;
}

interface Slot {
  range: NumberRange;
  counting: Generator<string, never>;
  number: string;
  left: number;
  account: number;
  refused: number;
}

const MAX_SLOWNESS = 4;

export function attack(scene: Scene, campaign: Campaign, random: Random): void {
  const { stage, ledger } = scene;
  const { accounts, ranges, from, to, requests, channel } = campaign;
  const latest = Math.min(to + (to - from) / 2, scene.end - 3_600_000);
  const earning = random.scale(4_000, 30_000);
  let nextRange = 0;
  let slowness = 1;
  let sent = 0;
  const slots = Array.from({ length: campaign.width }, takeUp);

  function takeUp(): Slot {
    const range = ranges[nextRange++ % ranges.length];
    if (range === undefined) throw new Error('A campaign needs ranges.');
    const counting = countThrough(range, random);
    return { range, counting, number: '', left: 0, account: 0, refused: 0 };
  }

  function step(): void {
    const slot = random.pick(slots);
    if (slot.left === 0) {
      slot.number =
        campaign.order === 'counting' ? slot.counting.next().value : drawFromRange(slot.range, random);
      slot.left = random.whole(1, campaign.perNumber);
    }
    slot.left--;
    sent++;
    const { range, number: destination } = slot;
    const own = random.fork();
    const baseline = campaign.spread ? undefined : accounts[slot.account % accounts.length];
    const account = baseline ?? own.pick(accounts);
    const land = scene.land(range.country);
    const ip = account.passesAddresses ? campaign.ip(range, own) : undefined;
    const key = own.pick(account.keys);
    plan();
    stage.ask({ account: account.name, key, destination, channel, ip }, (allowed, ref) => {
      ledger.attack(stage.now, land, allowed);
      if (!allowed) return refuse(slot);
      slot.refused = 0;
      // Fraudulent operators report everything as delivered.
      if (account.passesReceipts) stage.after(own.between(800, 6_000), () => stage.receive(ref, 'delivered'));
      if (own.chance(campaign.confirmed)) {
        stage.after(3_000 + own.exponential(earning), () => stage.confirm(ref, true));
      }
    });
  }

  function refuse(slot: Slot): void {
    if (++slot.refused < campaign.patience) return;
    slot.refused = 0;
    const { habit } = campaign;
    const reaction = habit === 'anything' ? random.pick(HABITS) : habit;
    if (reaction === 'next-range') Object.assign(slot, takeUp(), { account: slot.account });
    else if (reaction === 'next-account') slot.account++;
    else if (reaction === 'slow-down') slowness = Math.min(MAX_SLOWNESS, slowness * 1.3);
  }

  /** When the nth request is due if nobody refuses any. */
  function due(n: number): number {
    const done = n / requests;
    const bursts = 12;
    if (campaign.pace === 'rising') return from + (to - from) * Math.cbrt(done);
    if (campaign.pace === 'even') return from + (to - from) * done;
    // All of a burst comes in the first fifth of its time.
    return from + ((to - from) * (Math.floor(done * bursts) + ((done * bursts) % 1) / 5)) / bursts;
  }

  function plan(): void {
    if (sent >= requests) return;
    const at = Math.max(stage.now, from) + slowness * (due(sent + 1) - due(sent)) * random.exponential(1);
    if (at < latest) stage.at(at, step);
  }
  plan();
}
