/** Sessions: a token in a cookie, its hash in the store. A token is made only at sign-in, and never accepted from outside. */
import type { FastifyRequest } from 'fastify';
import { hashToken, mintId, mintToken } from '../../accounts/token.ts';
import { MAX_AHEAD_MS } from '../../core/seams/clock.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import type { Role } from '../../operations/contract.ts';
import { formatInstant } from '../../operations/instant.ts';
import { type CookieReply, readCookie, SESSION_COOKIE, setCookie } from '../cookie.ts';
import type { Sessions } from '../me/contract.ts';

/** How long a session lasts, in ms: without use, and in total. */
export const IDLE_MS = 12 * 3_600_000;
export const LONGEST_MS = 7 * 86_400_000;
/** How often the last use is written, in ms: most requests cost no write. */
const TOUCH_MS = 60_000;
const MAX_SESSIONS = 50;
/** How long a proof of identity stays fresh, in ms. */
const FRESH_MS = 10 * 60_000;

export type SignInMethod = Sessions[number]['method'];

/** Who is signed in, and their role in the account of the request. */
export interface Session {
  readonly id: string;
  readonly personId: string;
  readonly personName: string;
  readonly email: string;
  readonly method: SignInMethod;
  /** When the person last proved their identity, in Unix ms. */
  readonly provenAt: number;
  /** Null: not a member of that account. */
  readonly role: Role | null;
}

/** The session of a token, and its person's role in an account. */
export async function findSession(
  records: Records,
  token: string,
  accountId: string | undefined,
  now: number,
): Promise<Session | undefined> {
  const hash = hashToken(token);
  const bounds = [now - IDLE_MS, now - LONGEST_MS];
  const answer = await records.transact([
    {
      sql: 'UPDATE session SET last_used_at = $2 WHERE hash = $1 AND last_used_at < $3 AND last_used_at > $4 AND created_at > $5',
      args: [hash, now, now - TOUCH_MS, ...bounds],
    },
    {
      sql: `SELECT session.id AS id, session.person_id AS person_id, person.name AS name, email, method, proven_at, role
        FROM session JOIN person ON person.id = session.person_id
        LEFT JOIN member ON member.person_id = session.person_id AND member.account_id = $2
        WHERE hash = $1 AND last_used_at > $3 AND session.created_at > $4`,
      args: [hash, accountId ?? '', ...bounds],
    },
  ]);
  const row = answer.done ? answer.rows[1]?.[0] : undefined;
  if (row === undefined) return undefined;
  return {
    id: String(row.id),
    personId: String(row.person_id),
    personName: String(row.name),
    email: String(row.email),
    method: row.method as SignInMethod,
    provenAt: Number(row.proven_at),
    role: row.role as Role | null,
  };
}

/** A new session: the steps that write it, and the cookie to set after them. */
export interface NewSession {
  readonly steps: readonly Step[];
  hand(reply: CookieReply): void;
}

/**
 * Makes a session for a person. The one that the request came with ends, so that a browser never leaves a sign-in with a
 * token that it brought.
 */
export function beginSession(
  { random }: Pick<Records, 'random'>,
  request: Pick<FastifyRequest, 'headers' | 'clientAddress'>,
  personId: string,
  method: SignInMethod,
  now: number,
): NewSession {
  const token = mintToken(random);
  return {
    steps: [
      {
        sql: 'DELETE FROM session WHERE hash = $1',
        args: [hashToken(readCookie(request, SESSION_COOKIE) ?? '')],
      },
      {
        sql: `DELETE FROM session WHERE person_id = $1 AND hash NOT IN (
          SELECT hash FROM session WHERE person_id = $1 ORDER BY last_used_at DESC LIMIT ${MAX_SESSIONS - 1})`,
        args: [personId],
      },
      {
        sql: `INSERT INTO session (hash, id, person_id, method, address, agent, created_at, last_used_at, proven_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7)`,
        args: [
          hashToken(token),
          mintId('ses', random),
          personId,
          method,
          request.clientAddress,
          describeAgent(request.headers['user-agent']),
          now,
        ],
      },
    ],
    hand: (reply) => setCookie(reply, SESSION_COOKIE, token, LONGEST_MS / 1000),
  };
}

/**
 * Records a fresh proof, with a new token: someone else with the old one has proven nothing. Refused if the session has
 * ended.
 */
export function renewSession({ random }: Pick<Records, 'random'>, id: string, now: number): NewSession {
  const token = mintToken(random);
  return {
    steps: [
      {
        sql: 'UPDATE session SET hash = $2, proven_at = $3, last_used_at = $3 WHERE id = $1 RETURNING id',
        args: [id, hashToken(token), now],
        guard: true,
      },
    ],
    hand: (reply) => setCookie(reply, SESSION_COOKIE, token, LONGEST_MS / 1000),
  };
}

/** A proof from the future does not count: a clock was ahead. */
export function isProofFresh({ provenAt }: Pick<Session, 'provenAt'>, now: number): boolean {
  return provenAt > now - FRESH_MS && provenAt <= now + MAX_AHEAD_MS;
}

/** Ends all sessions of a person, except the named one. */
export function endSessions(personId: string, except = ''): Step {
  return { sql: 'DELETE FROM session WHERE person_id = $1 AND id <> $2', args: [personId, except] };
}

export function signOff(id: string): Step {
  return { sql: 'DELETE FROM session WHERE id = $1', args: [id] };
}

/** Refused if the person has no such session. */
export function endSession(personId: string, id: string): Step {
  return {
    sql: 'DELETE FROM session WHERE person_id = $1 AND id = $2 RETURNING id',
    args: [personId, id],
    guard: true,
  };
}

/** The sessions of a person, the most recently used first. */
export async function readSessions(
  records: Records,
  { personId, id: current }: Pick<Session, 'personId' | 'id'>,
  now: number,
): Promise<Sessions> {
  const rows = await query(
    records,
    `SELECT id, created_at, last_used_at, address, agent, method FROM session
      WHERE person_id = $1 AND last_used_at > $2 AND created_at > $3 ORDER BY last_used_at DESC, id`,
    personId,
    now - IDLE_MS,
    now - LONGEST_MS,
  );
  return rows.map((row) => ({
    id: String(row.id),
    current: row.id === current,
    created_at: formatInstant(Number(row.created_at)),
    last_used_at: formatInstant(Number(row.last_used_at)),
    address: String(row.address),
    agent: String(row.agent),
    method: row.method as SignInMethod,
  }));
}

/** Marks in user agents. Browsers that imitate others come first: Edge names Chrome, and Chrome names Safari. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Browser and system, in words that people recognise. */
function describeAgent(userAgent = ''): string {
  const find = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = find(BROWSERS) ?? 'Unknown browser';
  const system = find(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
