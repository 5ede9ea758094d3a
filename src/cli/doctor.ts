/** Whether the service would work here: what it stands on, looked at one by one. */
import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { createCarriers } from '../carriers/index.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { ensureSelfSigned, readKeyPair } from '../http/tls.ts';
import { openStore } from '../store/open.ts';
import { describeTraffic, readTraffic, type Traffic } from './carrier-traffic.ts';
import { describeFailure, EXIT_FAILURE } from './failure.ts';

/** What one check found. `detail` says what was seen, or what is wrong and how to put it right. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

const DAY_MS = 86_400_000;
const EXPIRY_DAYS = 14;
const LEAST_FREE_BYTES = 256 * 2 ** 20;
/** This version was made after it: a clock before it is wrong, and codes and certificates would be so too. */
const EARLIEST = Date.parse('2026-11-01T00:00:00Z');

/** Prints a line for each check and sets the exit code. Makes the data folder ready, as the service would. */
export async function runDoctor({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = loadConfig(process.env);
  const findings = await examine(config);
  if (json) console.log(JSON.stringify(findings, null, 2));
  else
    for (const { ok, name, detail } of findings) console.log(`${ok ? 'ok  ' : 'fail'}  ${name}: ${detail}`);
  if (findings.some(({ ok }) => !ok)) process.exitCode = EXIT_FAILURE;
}

async function examine(config: Config): Promise<Finding[]> {
  // The store first, for it makes the data folder; then all at once, for carriers may take seconds to answer.
  let traffic: Traffic | undefined;
  const store = await attempt('store', () =>
    checkStore(config, (seen) => {
      traffic = seen;
    }),
  );
  const [carriers, providers, ...others] = await Promise.all([
    checkCarriers(config, traffic),
    checkProviders(config),
    attempt('disk', () => checkDisk(config)),
    attempt('clock', async () => checkClock(Date.now())),
    attempt('certificate', () => checkCertificate(config)),
  ]);
  return [store, ...others, ...carriers, ...providers];
}

/** Whether the providers of single sign-on answer, as who they are configured to be. */
function checkProviders({ portal: { oidc } }: Config): Promise<Finding[]> {
  return Promise.all(
    Object.entries(oidc).map(([name, options]) =>
      attempt(`single sign-on ${name}`, async () => {
        const { Provider } = await import('../portal/oidc/provider.ts');
        const { ok, detail } = await new Provider(name, options).check();
        if (ok) return { ok, detail };
        const document = `${options.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
        return {
          ok,
          detail: `${detail}; check portal.oidc.${name}.issuer, and that ${document} names just that`,
        };
      }),
    ),
  );
}

/** A check sends nothing and so hears of nothing. */
const INERT = { receive: async () => {}, log: () => {} };

type Verdict = Omit<Finding, 'name'>;

async function attempt(name: string, check: () => Promise<Verdict>): Promise<Finding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    return { name, ok: false, detail: describeFailure(error).join('; ') };
  }
}

async function checkStore(config: Config, see: (traffic: Traffic) => void): Promise<Verdict> {
  const store = await openStore(config, { exclusive: false });
  try {
    await store.check();
    see(await readTraffic(store, Date.now()));
    const place = config.store.url === undefined ? config.dataDir : 'the database of store.url';
    return { ok: true, detail: `opens and commits, in ${place}` };
  } finally {
    await store.close();
  }
}

async function checkDisk({ dataDir, store }: Config): Promise<Verdict> {
  if (store.url !== undefined) return { ok: true, detail: 'none needed, the store is a database' };
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const detail = `${Math.floor(free / 2 ** 20)} MiB free in ${dataDir}`;
  if (free >= LEAST_FREE_BYTES) return { ok: true, detail };
  return { ok: false, detail: `${detail}; make room, or shorten retention.verifications` };
}

export function checkClock(now: number): Verdict {
  const time = new Date(now).toISOString();
  if (now >= EARLIEST) return { ok: true, detail: time };
  return { ok: false, detail: `${time} is in the past; set the clock, and keep it right with NTP` };
}

async function checkCertificate(config: Config): Promise<Verdict> {
  if (config.trustProxy.length > 0) return { ok: true, detail: 'none needed, a proxy ends TLS' };
  const files = config.tls ?? (await ensureSelfSigned(config.dataDir));
  const { cert } = await readKeyPair(files);
  return judgeCertificate(new X509Certificate(cert), config.tls === undefined, Date.now());
}

export function judgeCertificate(certificate: X509Certificate, selfSigned: boolean, now: number): Verdict {
  const [from, until] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
  const days = Math.floor((until - now) / DAY_MS);
  const kind = selfSigned ? 'made by itself' : 'from tls.cert';
  if (now < from) return { ok: false, detail: 'is not valid yet; check the clock, or get another' };
  if (days < 0) return { ok: false, detail: `${kind}, expired ${-days} days ago; renew it` };
  if (days < EXPIRY_DAYS && !selfSigned)
    return { ok: false, detail: `${kind}, expires in ${days} days; renew it` };
  return { ok: true, detail: `${kind}, valid for ${days} days` };
}

async function checkCarriers(config: Config, traffic: Traffic | undefined): Promise<Finding[]> {
  const carriers = await createCarriers(config, INERT);
  return Promise.all(
    carriers.map((carrier) =>
      attempt(`carrier ${carrier.name}`, async () => {
        await using parts = new AsyncDisposableStack();
        parts.defer(() => carrier.stop());
        const { ok, detail } = await carrier.check();
        const verdict = ok ? detail : `${detail}; check carriers.${carrier.name} and the way to it`;
        if (traffic === undefined) return { ok, detail: verdict };
        return { ok, detail: `${verdict}; ${describeTraffic(traffic, carrier.name, Date.now())}` };
      }),
    ),
  );
}
