/** Where the database is and how the connection to it is secured: `postgres://user:password@host:port/database?sslmode=verify-full`. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ClientConfig } from 'pg';

/** What is wrong with an address; never holds its password. */
interface AddressProblem {
  readonly wrong: string;
  readonly expected: string;
  readonly fix: string;
}

export type AddressResult =
  | { readonly ok: true; readonly address: DatabaseAddress }
  | { readonly ok: false; readonly problem: AddressProblem };

export interface DatabaseAddress {
  readonly client: Pick<ClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'>;
  /** The address for people: without user and password. */
  readonly shown: string;
}

const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

export function parseDatabaseAddress(text: string): AddressResult {
  const url = URL.parse(text);
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    return fault('is not a PostgreSQL URL', 'postgres://user:password@host:5432/database', 'correct it');
  }
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    return fault(
      `has the parameter ${unknown}`,
      `only ${PARAMETERS.join(', ')}`,
      'remove it; what it sets belongs to the role (ALTER ROLE ... SET ...)',
    );
  }
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const database = decodeURIComponent(url.pathname.slice(1));
  if (host === '' || host.includes(',') || database === '') {
    return fault(
      'does not name one host and a database',
      'postgres://user:password@host:5432/database',
      'add what is missing; for several hosts name an address that follows the primary',
    );
  }
  const tls = tlsOf(url, host);
  if ('problem' in tls) return { ok: false, problem: tls.problem };
  return {
    ok: true,
    address: {
      client: {
        host,
        port: url.port === '' ? 5432 : Number(url.port),
        ...(url.username !== '' && { user: decodeURIComponent(url.username) }),
        ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
        database,
        ssl: tls.ssl,
      },
      shown: `${url.host}/${database}`,
    },
  };
}

/**
 * Refuses the modes in between (`prefer`, `require`, `verify-ca`): they look safe and do not stop a man in the middle.
 */
function tlsOf(
  { searchParams }: URL,
  host: string,
): { readonly ssl: NonNullable<ClientConfig['ssl']> } | { readonly problem: AddressProblem } {
  const mode = searchParams.get('sslmode') ?? (isLocal(host) ? 'disable' : undefined);
  if (mode === 'disable') return { ssl: false };
  if (mode !== 'verify-full') {
    return {
      problem: {
        wrong:
          mode === undefined
            ? 'does not say how the connection to another host is secured'
            : `has sslmode=${mode}`,
        expected: 'sslmode=verify-full, or sslmode=disable where nobody can listen',
        fix: 'add sslmode=verify-full, and sslrootcert=FILE unless the certificate is from a public authority',
      },
    };
  }
  const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' };
  const ssl: Record<string, string | boolean> = { rejectUnauthorized: true };
  // A certificate for an IP address is checked as such; a name is also sent to the server (SNI).
  if (isIP(host) === 0) ssl.servername = host;
  for (const [option, parameter] of Object.entries(files)) {
    const path = searchParams.get(parameter);
    if (path === null) continue;
    try {
      ssl[option] = readFileSync(path, 'utf8');
    } catch {
      const wrong = `names a file that cannot be read, in ${parameter}`;
      return { problem: { wrong, expected: 'a readable PEM file', fix: 'correct the path or its rights' } };
    }
  }
  return { ssl };
}

/** A name that begins with `127.` may be anywhere. */
function isLocal(host: string): boolean {
  const isLoopback = host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  return isLoopback || host === 'localhost' || host.startsWith('/');
}

function fault(wrong: string, expected: string, fix: string): AddressResult {
  return { ok: false, problem: { wrong, expected, fix } };
}
