/** How large the installation is, and who asks for codes to where: the same draw for rows and for counts. */
import type { DatabaseSync } from 'node:sqlite';
import { binOf } from '../../src/store/shared/statistics.ts';

export const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;
/** In use, and the benchmark’s own: an account may have five hundred. */
export const KEYS = 490;
export const REVOKED_KEYS = 300;
export const MEMBERS = 210;
export const CARRIERS = Array.from({ length: 30 }, (_, n) => `carrier-${String(n + 1).padStart(2, '0')}`);

/** Busiest first, with the beginning of the numbers there. */
export const COUNTRIES = [
  ...[
    ['US', '+1202555'],
    ['GB', '+4474001'],
    ['DE', '+4915123'],
    ['FR', '+3361234'],
  ],
  ...[
    ['IN', '+9198765'],
    ['BR', '+5511987'],
    ['ES', '+3461234'],
    ['IT', '+3934712'],
  ],
  ...[
    ['PL', '+4850123'],
    ['NL', '+3161234'],
    ['MX', '+5255123'],
    ['CA', '+1416555'],
  ],
  ...[
    ['AU', '+6141234'],
    ['JP', '+8190123'],
    ['SE', '+4670123'],
    ['CH', '+4178123'],
  ],
  ...[
    ['AT', '+4366412'],
    ['BE', '+3247012'],
    ['PT', '+3519123'],
    ['DK', '+4520123'],
  ],
].map(([country = '', stem = '']) => ({ country, stem }));

/** Each country has three, as a route would name them. */
export const carriersOf = (country: number): readonly string[] =>
  [0, 1, 2].map((n) => CARRIERS[(country * 3 + n) % CARRIERS.length] ?? '');

/** A prime, so that a walk in steps of another number comes past every place. */
const PLACES = 100_003;
const STRIDE = 7_919;

export const keyId = (n: number): string => `key_company${String(n).padStart(9, '0')}`;

export interface Extent {
  readonly accountId: string;
  readonly rows: number;
  /** Where the year ends, in Unix ms. */
  readonly now: number;
  /** What the configuration keeps, in ms. */
  readonly kept: { readonly verifications: number; readonly events: number };
}

const stepOf = ({ rows }: Extent): number => YEAR_MS / rows;

/** The first request at or after a time. */
export const requestAt = (extent: Extent, at: number): number =>
  Math.min(extent.rows, Math.max(0, Math.ceil((at - (extent.now - YEAR_MS)) / stepOf(extent))));

/**
 * Requests from `:first` on and before `:last`, with what was drawn for each: `number`, `at` and the columns of `draw`. They come
 * evenly over the year.
 */
export const requestsOf = (extent: Extent): string => `
  WITH RECURSIVE request (number) AS (
    SELECT :first UNION ALL SELECT number + 1 FROM request WHERE number + 1 < :last
  ), drawn AS (
    SELECT number, CAST(${extent.now - YEAR_MS} + number * ${stepOf(extent)} AS INTEGER) AS at, draw.*
    FROM request CROSS JOIN draw ON draw.place = number * ${STRIDE} % ${PLACES}
  )`;

/**
 * Fills `temp.draw`. Keys and countries are as uneven as they are in life (Zipf): the busiest key has a seventh of the traffic, and each
 * key sends mostly to one country.
 */
export function drawTraffic(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE draw (place INTEGER PRIMARY KEY, key_id TEXT, channel TEXT, country TEXT, stem TEXT, carrier TEXT,
      outcome TEXT, submitted_ms INTEGER, delivered_ms INTEGER, confirmed_ms INTEGER, submitted_bin INTEGER,
      delivered_bin INTEGER, confirmed_bin INTEGER, cost INTEGER)`);
  const insert = db.prepare(`INSERT INTO draw VALUES (${Array(14).fill('?').join(', ')})`);
  const random = reproducible(20_261_123);
  const key = zipf(KEYS, random);
  const country = zipf(COUNTRIES.length, random);
  const homes = Array.from({ length: KEYS }, country);
  db.exec('BEGIN');
  for (let place = 0; place < PLACES; place++) {
    const of = key();
    const to = random() < 0.85 ? (homes[of] ?? 0) : country();
    const { country: name = '', stem = '' } = COUNTRIES[to] ?? {};
    const rank = random();
    const carrier = carriersOf(to)[rank < 0.75 ? 0 : rank < 0.95 ? 1 : 2] ?? '';
    const fate = random();
    const outcome =
      fate < 0.82 ? 'confirmed' : fate < 0.95 ? 'delivered' : fate < 0.98 ? 'undelivered' : 'failed';
    const submitted = Math.round(40 + 200 * random());
    const delivered = submitted + Math.round(800 + 5_000 * random());
    const confirmed = delivered + Math.round(4_000 + 40_000 * random() ** 2);
    const bins = [submitted, delivered, confirmed].map(binOf);
    const channel = random() < 0.92 ? 'sms' : 'voice';
    const facts = [place, keyId(of), channel, name, stem, carrier, outcome, submitted, delivered, confirmed];
    insert.run(...facts, ...bins, 20_000 + 5_000 * to);
  }
  db.exec('COMMIT');
}

/** A generator of its own, so that every run makes the same installation. */
function reproducible(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Draws from 0 on: each rank is as likely as one divided by it. */
function zipf(count: number, random: () => number): () => number {
  const sums: number[] = [];
  for (let rank = 1; rank <= count; rank++) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  const all = sums.at(-1) ?? 1;
  return () => {
    const wanted = random() * all;
    return sums.findIndex((sum) => sum >= wanted);
  };
}
