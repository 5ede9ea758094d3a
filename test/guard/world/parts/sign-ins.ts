/** Honest people who sign in with a code again and again: known numbers, which confirm nearly every code. */

import { drawShared } from '../lands/addresses.ts';
import type { Land } from '../lands/land.ts';
import { drawRange } from '../lands/numbers.ts';
import { type Account, drawPerson, gather, type Person, remember } from '../people/account.ts';
import { arrive } from '../people/arrivals.ts';
import { visit } from '../people/visit.ts';
import type { Random } from '../random.ts';
import type { Part } from '../scenario.ts';
import type { Scene } from '../scene.ts';
import { takeSome } from './company.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface SignIns {
  readonly people: readonly Person[];
  /** Between two sign-ins of one person. */
  readonly gap: readonly [number, number];
  /** Local hours between which they do. */
  readonly hours: readonly [number, number];
  /** The share of sign-ins that they go through with. */
  readonly converting: number;
  readonly from: number;
  readonly to: number;
}

/** Each of the people signs in again and again while they work. */
function signIn(scene: Scene, { people, gap, hours, converting, from, to }: SignIns, random: Random): void {
  const { stage, ledger } = scene;
  for (const person of people) {
    const own = random.fork();
    const { ahead } = person.crowd.land;
    const next = (at: number): void => {
      if (at >= to) return;
      stage.at(at, () => {
        const local = (at / HOUR + ahead) % 24;
        if (local < hours[0] || local >= hours[1]) return next(at + own.between(10, 40) * MINUTE);
        next(at + own.between(...gap));
        visit(stage, ledger, { ...person, converts: own.chance(converting) }, own.fork());
      });
    };
    next(from + own.between(0, gap[1]));
  }
}

/** Who has the numbers, and confirms all but a few codes. */
function employ(
  account: Account,
  land: Land,
  numbers: readonly string[],
  address: string | undefined,
  random: Random,
): Person[] {
  const crowd = gather(account, land);
  return numbers.map((number) => {
    const ip = address ?? land.addresses.draw(random);
    return { crowd, number, key: random.pick(account.keys), ip, isKnown: true, converts: true };
  });
}

/** A company's people, whose numbers lie side by side, sign in several times a day, often from one address. */
export const offices: Part = (scene, { from, to }, random) => {
  for (let office = random.whole(1, 4); office > 0; office--) {
    const { crowd } = random.pick(scene.traffic.slice(0, 6));
    const { account, land } = crowd;
    const range = drawRange(land.country, land.blocks, random.whole(2, 4), random);
    const numbers = takeSome(range, random.whole(15, 90), random);
    const address = random.chance(0.6) ? drawShared(random) : undefined;
    const people = employ({ ...account, callsFirst: 0 }, land, numbers, address, random);
    const least = random.between(0.8, 2.5) * HOUR;
    const gap = [least, least * random.between(1.1, 1.8)] as const;
    signIn(scene, { people, gap, hours: [8, 18], converting: 0.98, from, to }, random);
  }
};

/** Machines test the sign-in, day and night, with a few numbers: each code is confirmed within seconds. */
export const monitors: Part = (scene, { from, to }, random) => {
  for (let machine = random.whole(1, 3); machine > 0; machine--) {
    const { crowd } = random.pick(scene.traffic.slice(0, 6));
    const land = { ...crowd.land, delay: { median: 10_000, sigma: 0.3, tail: 0 } };
    const account = { ...crowd.account, impatient: 0, mistyped: 0, callsFirst: 0 };
    const range = drawRange(land.country, land.blocks, random.whole(2, 5), random);
    const numbers = takeSome(range, random.whole(1, 12), random);
    const people = employ(account, land, numbers, drawShared(random), random);
    // As often as the limit of a day allows.
    const gap = random.between(1.25, 2.5) * HOUR;
    signIn(scene, { people, gap: [gap, gap * 1.02], hours: [0, 24], converting: 1, from, to }, random);
  }
};

/** People anywhere who are asked for a code each hour or two of their day. */
export const hourly: Part = (scene, { from, to }, random) => {
  const { crowd } = random.pick(scene.traffic.slice(0, 6));
  const { account, land } = crowd;
  const people = Array.from({ length: random.whole(20, 150) }, () => {
    const newcomer = drawPerson({ ...crowd, returning: 0 }, from, random);
    return { ...newcomer, isKnown: true };
  });
  signIn(scene, { people, gap: [0.8 * HOUR, 2 * HOUR], hours: [7, 22], converting: 0.97, from, to }, random);
  Object.assign(scene.drawn, { hourly: land.country, hourlyPeople: people.length, hourlyAt: account.name });
};

/** People who use two services one after the other: at some they were before, at others not. */
export const twoServices: Part = (scene, { from, to }, random) => {
  while (scene.accounts.length < 2) scene.addAccount();
  const land = random.pick(scene.traffic.slice(0, 6)).crowd.land;
  const [first, second] = random.sample(scene.accounts, 2).map((account) => gather(account, land));
  if (first === undefined || second === undefined) return;
  const known = random.between(0.3, 0.9);
  // They were there before all this.
  for (let index = 0; index < 400; index++) {
    const person = drawPerson({ ...first, returning: 0 }, scene.start, random);
    const early = random.between(scene.start, from);
    scene.stage.at(early, () =>
      visit(scene.stage, scene.ledger, { ...person, converts: true }, random.fork()),
    );
    remember({ ...person, crowd: first }, scene.start, random);
  }
  const peak = random.scale(300, 2_000) / (to - from);
  arrive(scene, { from, to, rate: () => peak, peak }, random, (own): Person => {
    const [here, there] = own.chance(0.5) ? [first, second] : [second, first];
    const old = own.chance(known) ? own.pick(first.known) : undefined;
    const newcomer = drawPerson({ ...here, returning: 0 }, scene.stage.now, own);
    const person = old === undefined ? newcomer : { ...newcomer, number: old.number, ip: old.ip };
    const converts = own.chance(old === undefined ? land.conversion : (1 + land.conversion) / 2);
    scene.stage.after(own.between(1, 25) * MINUTE, () => {
      const again = { ...person, crowd: there, key: own.pick(there.account.keys), converts };
      visit(scene.stage, scene.ledger, again, own.fork());
    });
    return { ...person, converts };
  });
  Object.assign(scene.drawn, { twoServices: land.country, twoServicesKnown: known });
};

/** Known people of one service sign in while somebody posts their numbers into the form of another, to lock them out. */
export const lockOut: Part = (scene, { from, to }, random) => {
  while (scene.accounts.length < 2) scene.addAccount();
  const { crowd } = random.pick(scene.traffic.slice(0, 6));
  const { account, land } = crowd;
  const [shop = account] = random.sample(
    scene.accounts.filter((other) => other !== account),
    1,
  );
  const victims = Array.from({ length: random.whole(5, 40) }, () => {
    const person = drawPerson({ ...crowd, returning: 0 }, from, random);
    return { ...person, isKnown: true };
  });
  signIn(
    scene,
    { people: victims, gap: [2 * HOUR, 6 * HOUR], hours: [0, 24], converting: 0.98, from: scene.start, to },
    random,
  );
  const pause = random.between(8, 38) * MINUTE;
  for (const { number, ip } of victims) {
    const own = random.fork();
    const post = (at: number): void => {
      if (at >= to) return;
      scene.stage.at(at, () => {
        post(at + pause * own.between(0.9, 1.1));
        const address = shop.passesAddresses ? ip : undefined;
        const request = { account: shop.name, key: own.pick(shop.keys), destination: number, ip: address };
        scene.stage.ask({ ...request, channel: 'sms' }, (allowed) =>
          scene.ledger.attack(scene.stage.now, land, allowed),
        );
      });
    };
    post(from + own.between(0, pause));
  }
  Object.assign(scene.drawn, { victims: victims.length, pause: Math.round(pause / MINUTE) });
};
