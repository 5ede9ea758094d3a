/** Checks one by one what the service needs to work here. */

import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createKeys } from '../../accounts/keys.ts';
import { findUnaskedRules, type UnaskedRule } from '../../accounts/unasked-rules.ts';
import { createCarriers, INERT } from '../../carriers/index.ts';
import type { Config } from '../../config/table/schema.ts';
import { warnOfEverywhere, warnOfSimulated } from '../../config/warnings.ts';
import { hasLiveKey } from '../../core/accounts/api-key.ts';
import { findUnusableHooks, type UnusableHook } from '../../core/hooks/unusable.ts';
import { MAX_OFFSET_MS, SYSTEM_CLOCK } from '../../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../../core/seams/random.ts';
import { DAY_MS } from '../../core/seams/spans.ts';
import { readKeyPair } from '../../http/connection/key-pair.ts';
import { selfSignedFiles } from '../../http/connection/tls.ts';
import { givenFiles } from '../../http/connection/transport.ts';
import { loadLookups, UNASKED } from '../../lookups/load.ts';
import { warnOfOptions } from '../../proposal/warnings.ts';
import { findVoiceFaults } from '../../reload/voices.ts';
import { measureFreeBytes } from '../../store/free-space.ts';
import type { Durability } from '../../store/postgres/connection/durability.ts';
import { NUMBERING_PLANS } from '../../version.ts';
import { readConfiguration } from '../configuration.ts';
import { describeFailure, EXIT_FAILURE } from '../failure.ts';
import { nameStore, withStore } from '../store/command-store.ts';
import { checkStoreFile } from '../store/store-file-check.ts';
import {
  type CarrierTraffic,
  describeAside,
  describeCuts,
  describeFaults,
  describeLost,
  describeRefusing,
  describeTraffic,
  describeUnanswered,
  readTraffic,
} from './carrier-traffic.ts';
import { findWebhookWarnings, type WebhookWarning } from './webhook-warnings.ts';

/** What one check found. `detail` says what was seen, or what is wrong and how to fix it. */
export interface DoctorFinding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** It works, but is most likely not wanted. */
  readonly warning?: true;
}

const EXPIRY_DAYS = 14;
/** Clocks synchronised with NTP never differ by this much. */
const WARNED_OFFSET_MS = 2_000;
const LEAST_FREE_BYTES = 256 * 2 ** 20;
/** This version was released later: an earlier clock is wrong, and so would be codes and certificates. */
const EARLIEST = Date.parse('2026-11-01T00:00:00Z');

/** Prints a line for each check and sets the exit code. */
export async function runDoctor({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = await readConfiguration();
  const findings = await examine(config);
  if (json) console.log(JSON.stringify(findings, null, 2));
  else
    for (const { ok, warning, name, detail } of findings) {
      console.log(`${ok ? (warning ? 'warn' : 'ok  ') : 'fail'}  ${name}: ${detail}`);
    }
  if (findings.some(({ ok }) => !ok)) process.exitCode = EXIT_FAILURE;
}

async function examine(config: Config): Promise<DoctorFinding[]> {
  // The store first, because it knows the carriers' traffic. Then all at once, because carriers may take seconds to
  // answer.
  let seen: Seen | undefined;
  const store = await attempt('store', () =>
    checkStore(config, (found) => {
      seen = found;
    }),
  );
  // Also before the others: it reads the whole file, and checks that wait for a carrier would time out.
  const isFile = config.store.url === undefined && store.ok;
  const file = isFile ? [await attempt('store file', () => checkStoreFile(config))] : [];
  const [carriers, lookups, providers, ...others] = await Promise.all([
    checkCarriers(config, seen?.traffic),
    checkLookups(config, seen?.traffic),
    checkProviders(config),
    attempt('disk', () => checkDisk(config)),
    attempt('clock', async () => checkClock(SYSTEM_CLOCK.wall(), seen?.clockOffset ?? 0)),
    attempt('certificate', () => checkCertificate(config)),
  ]);
  const { url } = config.store;
  const durability = url === undefined ? [] : [await attempt('durability', () => checkDurability(url))];
  const warnings = listWarnings(config, seen);
  const plans = `judged by the plans of libphonenumber-js ${NUMBERING_PLANS}`;
  const hooks = seen === undefined ? [] : describeHooks(config, seen.unusableHooks);
  return [
    store,
    ...file,
    ...durability,
    ...warnings,
    ...others,
    { name: 'numbers', ok: true, detail: plans },
    ...carriers,
    ...lookups,
    ...hooks,
    ...providers,
  ];
}

/** Nothing can be wrong here, but whoever relies on the guard must know. */
const GUARDED =
  'nobody confirms them here, so the guard stops floods of a range, and neither slow pumping nor random numbers of a country: set a budget';

/** Whether identity systems could have codes sent with the keys of their hooks. */
function describeHooks({ hooks }: Config, unusable: readonly UnusableHook[]): DoctorFinding[] {
  return Object.entries(hooks).map(([name, { system }]) => {
    const fault = unusable.find((each) => each.name === name);
    const detail =
      fault === undefined ? `${system} may send codes; ${GUARDED}` : `hooks.${name}.key ${fault.detail}`;
    return { name: `hook ${name}`, ok: fault === undefined, detail };
  });
}

const openUnasked = (config: Config) =>
  loadLookups(config, { ...UNASKED, clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM });

/** Whether look-ups can be reached, give a token, and answered lately. None is asked: that would cost money. */
async function checkLookups(config: Config, traffic: CarrierTraffic | undefined): Promise<DoctorFinding[]> {
  using lookups = await openUnasked(config);
  const checks = lookups?.checks ?? [];
  return await Promise.all(
    checks.map(({ name, check }) =>
      attempt(`look-up ${name}`, async () => {
        const { ok, detail } = await check();
        if (!ok) return { ok, detail: `${detail}; check lookups.${name} and the network` };
        const unanswered = traffic && describeUnanswered(traffic, name, SYSTEM_CLOCK.wall());
        if (unanswered === undefined) return { ok, detail };
        const found = `${detail}, but ${unanswered.detail}; check lookups.${name}`;
        return unanswered.isOurs ? { ok: false, detail: found } : { ok, warning: true, detail: found };
      }),
    ),
  );
}

/** Whether the single sign-on providers answer, and are who the configuration says. */
function checkProviders({ portal: { oidc } }: Config): Promise<DoctorFinding[]> {
  return Promise.all(
    Object.entries(oidc).map(([name, options]) =>
      attempt(`single sign-on ${name}`, async () => {
        const { Provider } = await import('../../identity/oidc/provider.ts');
        const { ok, detail } = await new Provider(SYSTEM_CLOCK, name, options).check();
        if (ok) return { ok, detail };
        const document = `${options.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
        return {
          ok,
          detail: `${detail}; check portal.oidc.${name}.issuer, and that ${document} names the same issuer`,
        };
      }),
    ),
  );
}

type Verdict = Omit<DoctorFinding, 'name'>;

async function attempt(name: string, check: () => Promise<Verdict>): Promise<DoctorFinding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    return { name, ok: false, detail: describeFailure(error).join('; ') };
  }
}

/** What other checks need to know from the store. */
interface Seen {
  readonly traffic: CarrierTraffic;
  /** Whether there is a live key in use. */
  readonly live: boolean;
  /** By how many ms this machine's clock is ahead of the store's. */
  readonly clockOffset: number;
  readonly unusableHooks: readonly UnusableHook[];
  readonly webhooks: readonly WebhookWarning[];
  readonly unaskedRules: readonly UnaskedRule[];
}

function listWarnings(config: Config, seen: Seen | undefined): DoctorFinding[] {
  const alive = seen?.live ? [...warnOfSimulated(config), ...warnOfEverywhere(config)] : [];
  const configured = [...warnOfOptions(config), ...alive];
  const warnings = configured.map(({ key, detail }) => ({ name: key, detail }));
  const rules = seen?.unaskedRules.map(({ name, detail }) => ({ name: `account ${name}`, detail })) ?? [];
  return [...warnings, ...(seen?.webhooks ?? []), ...rules].map((each) => ({
    ...each,
    ok: true,
    warning: true,
  }));
}

function checkStore(config: Config, see: (seen: Seen) => void): Promise<Verdict> {
  return withStore(config, async (store) => {
    await store.check();
    const now = store.clock.now();
    const keys = createKeys(store);
    const live = await hasLiveKey(keys, now);
    const { clockOffset } = store;
    const unusableHooks = await findUnusableHooks(config.hooks, keys, now);
    const webhooks = await findWebhookWarnings(store, now);
    using lookups = await openUnasked(config);
    const unaskedRules = await findUnaskedRules(store, lookups?.all ?? []);
    const traffic = await readTraffic(store, now);
    see({ traffic, live, clockOffset, unusableHooks, webhooks, unaskedRules });
    return { ok: true, detail: `opens and commits, in ${nameStore(config)}` };
  });
}

async function checkDurability(url: string): Promise<Verdict> {
  const { parseDatabaseAddress } = await import('../../options/database-address.ts');
  const { readDurability } = await import('../../store/postgres/connection/durability.ts');
  const parsed = parseDatabaseAddress(url);
  if (!parsed.ok) return { ok: false, detail: `store.url ${parsed.problem.wrong}` };
  return judgeDurability(await readDurability(parsed.address));
}

/** The store itself makes sure that commits wait for the disk: otherwise it does not open. */
export function judgeDurability({ fsync, fullPageWrites, ...others }: Durability): Verdict {
  if (!fsync) {
    const detail =
      'fsync is off: if its machine fails, the database may lose committed data, or all data; set fsync = on';
    return { ok: false, detail };
  }
  const copies = judgeCopies(others);
  if (fullPageWrites) return copies;
  const warning =
    'full_page_writes is off, which is safe only on a file system that never writes half a page (ZFS)';
  return { ...copies, detail: `${copies.detail}; warning: ${warning}` };
}

/** A database that is alone is alone on purpose. One that another server may take over from should not be. */
function judgeCopies({ synchronous, hasOthers }: Pick<Durability, 'synchronous' | 'hasOthers'>): Verdict {
  if (synchronous === undefined) {
    const hint = 'GRANT pg_read_all_stats TO the role of the service shows whether a standby has them, too';
    return { ok: true, detail: `commits reach the disk; ${hint}` };
  }
  if (synchronous > 0) {
    return { ok: true, detail: `commits reach the disk, and one of ${synchronous} synchronous standbys` };
  }
  const detail = 'commits reach the disk of one server only, because none of its standbys is synchronous';
  if (!hasOthers) return { ok: true, detail: 'commits reach the disk of the one server' };
  return {
    ...{ ok: true, warning: true },
    detail: `${detail}: what is answered 200 is lost if another takes over; see docs/high-availability.md`,
  };
}

async function checkDisk({ dataDir, store }: Config): Promise<Verdict> {
  if (store.url !== undefined) return { ok: true, detail: 'not needed, the store is a database' };
  const free = await measureFreeBytes(dataDir);
  const detail = `${Math.floor(free / 2 ** 20)} MiB free in ${dataDir}`;
  if (free >= LEAST_FREE_BYTES) return { ok: true, detail };
  return { ok: false, detail: `${detail}; free some space, or shorten retention.verifications` };
}

/** `offset` is how far this machine's clock is ahead of the store's, in ms. */
export function checkClock(now: number, offset: number): Verdict {
  const time = new Date(now).toISOString();
  if (now < EARLIEST) {
    return { ok: false, detail: `${time} is in the past; set the clock, and keep it synchronised with NTP` };
  }
  if (offset === 0) return { ok: true, detail: time };
  const off = `${time}, ${Math.abs(offset)} ms ${offset > 0 ? 'ahead of' : 'behind'} the database's clock`;
  const ok = Math.abs(offset) <= WARNED_OFFSET_MS;
  if (ok) return { ok, detail: off };
  const bound = `beyond ${MAX_OFFSET_MS / 1_000} s no request is served`;
  return { ok, detail: `${off}; keep both synchronised with NTP: ${bound}` };
}

async function checkCertificate(config: Config): Promise<Verdict> {
  if (config.trustProxy.length > 0) return { ok: true, detail: 'not needed, a proxy ends TLS' };
  const given = givenFiles(config.tls);
  const files = given ?? selfSignedFiles(config.dataDir);
  if (given === undefined && !existsSync(files.cert)) {
    return { ok: true, detail: 'none yet, the service makes one on its first start' };
  }
  const { cert } = await readKeyPair(files);
  return judgeCertificate(new X509Certificate(cert), given === undefined, SYSTEM_CLOCK.wall());
}

export function judgeCertificate(certificate: X509Certificate, selfSigned: boolean, now: number): Verdict {
  const [from, until] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
  const days = Math.floor((until - now) / DAY_MS);
  const kind = selfSigned ? 'self-signed' : 'from tls.cert';
  if (now < from)
    return { ok: false, detail: 'is not valid yet; check the clock, or get another certificate' };
  if (days < 0) return { ok: false, detail: `${kind}, expired ${-days} days ago; renew it` };
  if (days < EXPIRY_DAYS && !selfSigned)
    return { ok: false, detail: `${kind}, expires in ${days} days; renew it` };
  return { ok: true, detail: `${kind}, valid for ${days} days` };
}

async function checkCarriers(config: Config, traffic: CarrierTraffic | undefined): Promise<DoctorFinding[]> {
  const carriers = await createCarriers(config, { ...INERT, clock: SYSTEM_CLOCK, random: SYSTEM_RANDOM });
  return Promise.all(
    carriers.map((carrier) =>
      attempt(`carrier ${carrier.name}`, async () => {
        await using parts = new AsyncDisposableStack();
        parts.defer(() => carrier.stop());
        const { ok, detail } = await carrier.check();
        const faults = traffic && describeFaults(traffic, carrier.name, SYSTEM_CLOCK.wall());
        if (ok && faults !== undefined) return { ok: false, detail: `${detail}, but ${faults}` };
        const verdict = ok ? detail : `${detail}; check carriers.${carrier.name} and the network`;
        const now = SYSTEM_CLOCK.wall();
        const whole = traffic ? `${verdict}; ${describeTraffic(traffic, carrier.name, now)}` : verdict;
        const voices = await findVoiceFaults(config, carrier);
        const concerns = [
          ...Array.from(voices, ([locale, why]) => `no calls in ${locale}: ${why}`),
          traffic && describeAside(traffic, carrier.name),
          traffic && describeRefusing(traffic, carrier.name),
          traffic && describeCuts(traffic, carrier.name, now),
          traffic && describeLost(traffic, carrier.name),
        ].filter((each) => each !== undefined);
        if (concerns.length === 0) return { ok, detail: whole };
        return { ok, warning: true, detail: [whole, ...concerns].join('; ') };
      }),
    ),
  );
}
