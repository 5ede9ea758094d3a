/** The installation's folder, kept for half a day, because making it takes minutes. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Phones } from '../peers/phones.ts';
import { Browser } from '../servers/browser.ts';
import { configuration, type startService } from '../servers/server.ts';
import { CARRIERS, COUNTRIES, carriersOf, DAY_MS } from './extent.ts';
import { seedCompany } from './seed.ts';

export interface Company {
  readonly folder: string;
  readonly config: object;
  readonly accountId: string;
  readonly cookie: string;
}

const SECRET = 'c1f0a94e7d26b8835e0f47ad9261cb7f38d5e2906a4bf71c8d03965ae2b7f418';
const FRESH_MS = DAY_MS / 2;

/** In days. */
export interface Retention {
  readonly verifications: number;
  readonly events: number;
}

type Start = (folder: string, config: object) => ReturnType<typeof startService>;

export async function openCompany(
  cache: string,
  rows: number,
  retention: Retention,
  phones: Phones,
  start: Start,
): Promise<Company> {
  const folder = join(cache, `countersign-company-${rows}-${retention.verifications}d`);
  const config = configOf(phones, retention);
  const noted = join(folder, 'made.json');
  const isThere = existsSync(noted) && Date.now() - statSync(noted).mtimeMs < FRESH_MS;
  if (!isThere) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const service = await start(folder, config);
    using owner = await Browser.setUp(service.target, folder);
    await service.stop();
    const kept = {
      verifications: retention.verifications * DAY_MS,
      events: retention.events * DAY_MS,
    };
    const accountId = await seedCompany(folder, SECRET, { rows, kept });
    writeFileSync(noted, JSON.stringify({ accountId, cookie: owner.cookie }));
  }
  return { folder, config, ...JSON.parse(readFileSync(noted, 'utf8')) };
}

/** Thirty carriers, of which each country has three; the load of the benchmark goes to the simulator, by its prefix. */
function configOf(phones: Phones, { verifications, events }: Retention): object {
  const { carriers, routes, ...rest } = configuration(phones);
  const made = CARRIERS.map((name) => [name, { ...carriers.gateway, concurrency: 10 }]);
  const byCountry = COUNTRIES.map(({ country }, n) => ({
    channel: 'sms',
    countries: [country],
    carriers: carriersOf(n),
  }));
  return {
    ...rest,
    secret: SECRET,
    retention: { verifications: `${verifications}d`, events: `${events}d` },
    carriers: { ...carriers, ...Object.fromEntries(made) },
    routes: [...routes, ...byCountry],
  };
}
