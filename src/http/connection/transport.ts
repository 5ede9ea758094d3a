/** What carries HTTP: TLS with a pair of files, or plain TCP behind a proxy that terminates TLS. */
import type { Logger } from 'pino';
import type { KeyPairFiles } from './key-pair.ts';
import { ensureSelfSigned } from './tls.ts';

export type Transport =
  | ({ readonly kind: 'tls' } & KeyPairFiles)
  /** `trustedPeers` are addresses or CIDR blocks of the proxies. */
  | { readonly kind: 'proxy'; readonly trustedPeers: readonly string[] };

/** At once, on the service's own port. */
export const MAX_CONNECTIONS = 10_000;

/** Both files, or neither. */
interface TlsOptions extends Partial<KeyPairFiles> {
  /** For the certificate that the service makes. */
  readonly names: readonly string[];
}

interface TransportOptions {
  readonly trustProxy: readonly string[];
  readonly tls?: TlsOptions | undefined;
  readonly dataDir: string;
}

/** The operator's own pair; undefined if the service makes one. */
export function givenFiles(tls: TlsOptions | undefined): KeyPairFiles | undefined {
  if (tls?.cert === undefined || tls.key === undefined) return undefined;
  return { cert: tls.cert, key: tls.key };
}

/** Without files, the service makes its own certificate. Behind a proxy it needs none. */
export const makesCertificate = ({ trustProxy, tls }: Omit<TransportOptions, 'dataDir'>): boolean =>
  trustProxy.length === 0 && givenFiles(tls) === undefined;

/** A certificate is written once `owned` has resolved, which says that the folder is this process's own. */
export async function findTransport(
  { trustProxy, tls, dataDir }: TransportOptions,
  log: Logger,
  owned: Promise<unknown>,
): Promise<Transport> {
  if (trustProxy.length > 0) return { kind: 'proxy', trustedPeers: trustProxy };
  const files = givenFiles(tls) ?? (await ensureSelfSigned(dataDir, { names: tls?.names, log, owned }));
  return { kind: 'tls', ...files };
}
