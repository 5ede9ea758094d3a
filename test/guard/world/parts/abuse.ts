/** Bots that are not after the fee: they bury people under codes, or guess them. */

import { drawHosts } from '../lands/addresses.ts';
import { drawSubscriber, type Land } from '../lands/land.ts';
import type { Account } from '../people/account.ts';
import type { Random } from '../random.ts';
import type { Part } from '../scenario.ts';
import type { Scene } from '../scene.ts';
import { pickPassing } from './honest.ts';

const MINUTE = 60_000;

interface Shot {
  readonly account: Account;
  readonly destination: string;
  readonly land: Land;
  readonly ip: string;
}

/** One request of a bot. Real people get these messages; nobody confirms them. */
function shoot(
  { stage, ledger }: Scene,
  { account, destination, land, ip }: Shot,
  random: Random,
  sent?: (ref: string) => void,
): void {
  const key = random.pick(account.keys);
  const address = account.passesAddresses ? ip : undefined;
  const isCall = account.calls > 0 && random.chance(0.1);
  const request = {
    account: account.name,
    key,
    destination,
    channel: isCall ? 'voice' : 'sms',
    ip: address,
  } as const;
  stage.ask(request, (allowed, ref) => {
    ledger.attack(stage.now, land, allowed);
    if (!allowed) return;
    if (account.passesReceipts)
      stage.after(random.between(1_000, 9_000), () => stage.receive(ref, 'delivered'));
    sent?.(ref);
  });
}

/** The accounts that a bomber knows: the more, the more codes. */
function findForms(scene: Scene, random: Random): Account[] {
  while (scene.accounts.length < 4) scene.addAccount();
  return random.sample(scene.accounts, random.whole(4, scene.accounts.length));
}

function bomb(
  scene: Scene,
  {
    from,
    to,
    shots,
    victim,
  }: { from: number; to: number; shots: number; victim: { land: Land; number: string } },
  accounts: readonly Account[],
  draw: (random: Random) => string,
  random: Random,
): void {
  let left = shots;
  let turn = random.whole(0, accounts.length - 1);
  function next(): void {
    scene.stage.after(random.exponential((to - from) / shots), () => {
      if (--left > 0 && scene.stage.now < to) next();
      const account = accounts[turn++ % accounts.length] ?? random.pick(accounts);
      shoot(
        scene,
        { account, destination: victim.number, land: victim.land, ip: draw(random) },
        random.fork(),
      );
    });
  }
  scene.stage.at(from, next);
}

function drawVictim(scene: Scene, random: Random): { land: Land; number: string } {
  const { crowd } = random.pick(scene.traffic);
  return { land: crowd.land, number: drawSubscriber(crowd.land, random) };
}

function drawSource(land: Land, random: Random): (random: Random) => string {
  if (random.chance(0.5)) return (own) => land.addresses.draw(own);
  const hosts = drawHosts(random.whole(1, 30), random);
  return (own) => own.pick(hosts);
}

/** One person, or two or three, for hours, from all accounts. */
export const bombOne: Part = (scene, { from, to }, random) => {
  const accounts = findForms(scene, random);
  const victims = random.whole(1, 3);
  const shots = random.whole(150, 700);
  for (let one = 0; one < victims; one++) {
    const victim = drawVictim(scene, random);
    const draw = drawSource(victim.land, random);
    bomb(scene, { from, to, shots, victim }, accounts, draw, random.fork());
  }
  Object.assign(scene.drawn, { victims, shotsEach: shots, forms: accounts.length });
};

/** Hundreds of people, a few codes each, within minutes for each of them. */
export const bombMany: Part = (scene, { from, to }, random) => {
  const accounts = findForms(scene, random);
  const victims = Math.round(random.scale(60, 600));
  const shots = random.whole(10, 30);
  const draws = scene.lands.map((land) => [land, drawSource(land, random)] as const);
  const sources = new Map(draws);
  for (let one = 0; one < victims; one++) {
    const victim = drawVictim(scene, random);
    const draw = sources.get(victim.land) ?? drawSource(victim.land, random);
    const start = random.between(from, to);
    const until = start + random.scale(2, 45) * MINUTE;
    bomb(scene, { from: start, to: until, shots, victim }, accounts, draw, random.fork());
  }
  Object.assign(scene.drawn, { victims, shotsEach: shots, forms: accounts.length });
};

/** Codes to other people's numbers, and guesses: one of thousands is right. */
export const guessing: Part = (scene, { from, to }, random) => {
  const account = pickPassing(scene, random);
  const { stage } = scene;
  const requests = Math.round(random.scale(800, 6_000));
  const guesses = random.whole(1, 5);
  const lands = random.sample(scene.lands, random.whole(1, 4));
  const isOwn = random.chance(0.75);
  const pool = isOwn
    ? drawHosts(random.whole(1, 40), random)
    : Array.from({ length: random.whole(20, 200) }, () => random.pick(lands).addresses.draw(random));
  const gap = (to - from) / requests;
  let left = requests;

  function next(): void {
    stage.after(random.exponential(gap), () => {
      if (--left > 0) next();
      const land = random.pick(lands);
      const own = random.fork();
      const shot = { account, destination: drawSubscriber(land, own), land, ip: own.pick(pool) };
      shoot(scene, shot, own, (ref) => {
        for (let guess = 0; guess < guesses; guess++) {
          stage.after(own.between(1_000, 3_000) + 2_500 * guess, () => stage.confirm(ref, false));
        }
      });
    });
  }
  stage.at(from, next);
  Object.assign(scene.drawn, {
    guessed: requests,
    guesses,
    guessers: pool.length,
    guessedIn: lands.map(({ country }) => country).join(' '),
  });
};
