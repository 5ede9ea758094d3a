/** Attacks that their victims or those who fought them have written about. */
import type { Country } from '../lands/countries.ts';
import { listBlocks } from '../lands/numbers.ts';
import type { Random } from '../random.ts';
import type { Part } from '../scenario.ts';
import type { Scene } from '../scene.ts';
import { behindProxies, drawRanges, pump } from './pumping.ts';

const HOUR = 3_600_000;

/** 13,000 texts to the 10,000 numbers of +99899394, from 20,000 addresses. */
export const uzbekistan: Part = (scene, { from, to }, random) => {
  settle(scene, 'UZ', 0.5, random);
  const addresses = Array.from({ length: 20_000 }, () => scene.land('UZ').addresses.draw(random));
  const ranges = [{ country: 'UZ', prefix: '+99899394', free: 4 }] as const;
  const ip = (_: unknown, own: Random) => own.pick(addresses);
  pump(
    scene,
    { from, to, requests: 13_000, ranges, width: 1, ip, order: 'random', channel: 'sms', confirmed: 0 },
    random,
  );
};

/** 8,000 random Moroccan numbers in twelve hours, slow at first. */
export const morocco: Part = (scene, { from }, random) => {
  settle(scene, 'MA', 0.5, random);
  const ranges = listBlocks('MA').map((prefix) => ({ country: 'MA', prefix, free: 5 }) as const);
  const spread = { ranges, width: ranges.length, order: 'random', perNumber: 1 } as const;
  const pace = { from, to: from + 12 * HOUR, requests: 8_000, pace: 'rising', channel: 'sms' } as const;
  pump(scene, { ...spread, ...pace, ip: behindProxies(scene), confirmed: 0, habit: 'persist' }, random);
};

/** Calls to Serbia until nothing gets through there any more, then to the United Kingdom with its many honest people. */
export const voice: Part = (scene, { from, to }, random) => {
  settle(scene, 'GB', 1, random);
  settle(scene, 'RS', 0.5, random);
  const closed = from + random.between(0.2, 0.6) * (to - from);
  const requests = random.scale(2_000, 8_000);
  const serbia = drawRanges(['RS'], random.whole(1, 6), [3, 5], random);
  const britain = drawRanges(['GB'], random.whole(1, 6), [3, 5], random);
  const same = { accounts: [random.pick(scene.accounts)], channel: 'voice', habit: 'next-range' } as const;
  const first = { ranges: [...serbia, ...britain], width: serbia.length, requests: requests * 0.5 };
  pump(scene, { ...same, ...first, from, to: closed }, random.fork());
  pump(scene, { ...same, ranges: britain, requests: requests * 0.5, from: closed, to }, random.fork());
};

/** Honest people there, in this share of the worlds. */
function settle(scene: Scene, country: Country, share: number, random: Random): void {
  if (random.chance(share)) scene.settle(country, random.scale(50, 3_000));
}
