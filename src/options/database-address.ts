/**
 * Where the database is and how the connection to it is secured, written as for libpq:
 * `postgres://user:password@host:port,host:port/database?sslmode=verify-full&target_session_attrs=read-write`.
 */
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

/** `stream` makes what a connection runs over, where that is no socket of this machine. */
export type ServerAddress = Pick<
  ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'stream'
>;

/** Those of libpq that a store can use: it writes. */
const TARGETS = ['read-write', 'primary', 'any'] as const;
export type Target = (typeof TARGETS)[number];

export interface DatabaseAddress {
  /** In the order in which they are asked. */
  readonly servers: readonly ServerAddress[];
  /** What a server must be to be used. */
  readonly target: Target;
  /** The address for people: without user and password. */
  readonly shown: string;
}

const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'target_session_attrs'];

export function parseDatabaseAddress(text: string): AddressResult {
  const urls = urlsOf(text);
  const [url] = urls;
  if (url === undefined || !['postgres:', 'postgresql:'].includes(url.protocol)) {
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
  const user = decode(url.username);
  const password = decode(url.password);
  const database = decode(url.pathname.slice(1));
  if (user === undefined) return notEncoded('user');
  if (password === undefined) return notEncoded('password');
  if (database === undefined) return notEncoded('database');
  if (urls.some(({ hostname }) => hostname === '') || database === '') {
    return fault(
      'does not name a host and a database',
      'postgres://user:password@host:5432/database',
      'add what is missing',
    );
  }
  const target = targetOf(url, urls.length);
  if (typeof target !== 'string') return { ok: false, problem: target };
  const servers: ServerAddress[] = [];
  for (const each of urls) {
    const host = decode(each.hostname)?.replace(/^\[(.*)\]$/, '$1');
    if (host === undefined) return notEncoded('host');
    const tls = tlsOf(url, host);
    if ('problem' in tls) return { ok: false, problem: tls.problem };
    servers.push({
      host,
      port: each.port === '' ? 5432 : Number(each.port),
      ...(user !== '' && { user }),
      ...(password !== '' && { password }),
      database,
      ssl: tls.ssl,
    });
  }
  const shown = `${urls.map(({ host }) => host).join(',')}/${database}`;
  return { ok: true, address: { servers, target, shown } };
}

/** Undefined if a `%` begins no escape of UTF-8, as in a password that was pasted as it is. */
function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** A URL for each host of the list, which URL itself does not know; none if one of them is malformed. */
function urlsOf(text: string): URL[] {
  const [, before = '', hosts = '', after = ''] =
    /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => URL.parse(`${before}${host}${after}`));
  return urls.every((url) => url !== null) ? urls : [];
}

/** Several hosts need a word: `any`, which is libpq's default, would stay with a standby that comes first. */
function targetOf({ searchParams }: URL, hosts: number): Target | AddressProblem {
  const given = searchParams.get('target_session_attrs') ?? (hosts === 1 ? 'any' : undefined);
  const target = TARGETS.find((name) => name === given);
  if (target !== undefined) return target;
  return {
    wrong:
      given === undefined
        ? 'names several hosts and does not say which of them to use'
        : `has target_session_attrs=${given}`,
    expected: `target_session_attrs=${TARGETS.join(' or ')}`,
    fix: 'set target_session_attrs=read-write: the store is used only where it can be written',
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

function notEncoded(part: string): AddressResult {
  return fault(
    `has a % in its ${part} that begins no escape`,
    'a percent-encoded URL, with %25 for % itself, %40 for @ and %2F for /',
    'write %25 for each % that stands for itself',
  );
}

function fault(wrong: string, expected: string, fix: string): AddressResult {
  return { ok: false, problem: { wrong, expected, fix } };
}
