import type { Random } from '../random.ts';

/** Many people of a mobile operator share each of these. */
const MAX_GATEWAYS = 60;
const MAX_HOMES = 12;

/** The client addresses of a country's people. Bots behind residential proxies have the same. */
export class Addresses {
  #gateways: readonly string[];
  #homes: readonly string[];
  #sixes: readonly string[];
  #mobile: number;
  #six: number;

  constructor(random: Random) {
    this.#homes = Array.from({ length: random.whole(3, MAX_HOMES) }, () => beginFour(random));
    this.#gateways = Array.from({ length: random.whole(4, MAX_GATEWAYS) }, () =>
      endFour(beginFour(random), random),
    );
    this.#sixes = Array.from({ length: random.whole(1, 4) }, () => beginSix(random));
    this.#mobile = random.between(0.1, 0.6);
    this.#six = random.between(0, 0.4);
  }

  draw(random: Random): string {
    const kind = random.next();
    if (kind < this.#mobile) return random.pick(this.#gateways);
    if (kind < this.#mobile + (1 - this.#mobile) * this.#six) return endSix(random.pick(this.#sixes), random);
    return endFour(random.pick(this.#homes), random);
  }
}

/** Addresses of machines that somebody rents: neighbours in one network. */
export function drawHosts(count: number, random: Random): string[] {
  const isSix = random.chance(0.3);
  const network = isSix
    ? `${beginSix(random)}:${hex(random)}`
    : `${beginFour(random)}.${random.whole(0, 255)}`;
  return Array.from({ length: count }, () =>
    isSix ? `${network}::${hex(random)}` : `${network}.${random.whole(1, 254)}`,
  );
}

/** One address that many people share: of a campus, an office, an operator. */
export function drawShared(random: Random): string {
  return endFour(beginFour(random), random);
}

function beginFour(random: Random): string {
  // Two bytes of blocks that are routed on the Internet.
  return `${random.whole(77, 95)}.${random.whole(0, 255)}`;
}

function endFour(beginning: string, random: Random): string {
  return `${beginning}.${random.whole(0, 255)}.${random.whole(1, 254)}`;
}

/** A /48. */
function beginSix(random: Random): string {
  return `2a0${random.whole(1, 9)}:${hex(random)}:${hex(random)}`;
}

function endSix(beginning: string, random: Random): string {
  return `${beginning}:${hex(random)}::${hex(random)}`;
}

function hex(random: Random): string {
  return random.whole(1, 0xffff).toString(16);
}
