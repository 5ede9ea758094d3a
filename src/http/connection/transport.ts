/** What carries HTTP: TLS with a pair of files, or plain TCP behind a proxy that terminates TLS. */
import type { KeyPairFiles } from './key-pair.ts';
import { ensureSelfSigned } from './tls.ts';

export type Transport =
  | ({ readonly kind: 'tls' } & KeyPairFiles)
  /** `trustedPeers` are addresses or CIDR blocks of the proxies. */
  | { readonly kind: 'proxy'; readonly trustedPeers: readonly string[] };

interface TransportOptions {
  readonly trustProxy: readonly string[];
  readonly tls?: KeyPairFiles | undefined;
  readonly dataDir: string;
}

/** With nothing configured, the service makes its own certificate. Behind a proxy it needs none. */
export const makesCertificate = ({ trustProxy, tls }: Omit<TransportOptions, 'dataDir'>): boolean =>
  trustProxy.length === 0 && tls === undefined;

export async function findTransport({ trustProxy, tls, dataDir }: TransportOptions): Promise<Transport> {
  if (trustProxy.length > 0) return { kind: 'proxy', trustedPeers: trustProxy };
  return { kind: 'tls', ...(tls ?? (await ensureSelfSigned(dataDir))) };
}
