/** Sessions: a token in a cookie, its hash in the store. A token is made at sign-in alone, and never taken from outside. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken, mintId, mintToken } from '../../accounts/token.ts';
import { query, type Records, type Step } from '../../core/records.ts';
import type { Role } from '../contract.ts';
import { readCookie, SESSION_COOKIE, setCookie } from '../cookie.ts';
import type { Sessions } from '../me/contract.ts';
import { describeAgent } from './agent.ts';

/** How long a session lasts, in ms: without use, and at most. */
export const IDLE_MS = 12 * 3_600_000;
export const LONGEST_MS = 7 * 86_400_000;
/** The last use is written no more often than this: a look costs no write. */
const TOUCH_MS = 60_000;
const MAX_SESSIONS = 50;
/** How long a proof of who one is stays fresh, in ms. */
const FRESH_MS = 10 * 60_000;

export type Method = Sessions[number]['method'];

/** Who is signed in, and what they may do in the account that was asked about. */
export interface Session {
  readonly id: string;
  readonly personId: string;
  readonly personName: string;
  readonly email: string;
  readonly method: Method;
  /** When the person last proved who they are, by signing in or again, in Unix ms. */
  readonly provenAt: number;
  /** Null: no member of that account. */
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
    method: row.method as Method,
    provenAt: Number(row.proven_at),
    role: row.role as Role | null,
  };
}

/** A session about to begin: the steps that write it, and the cookie to set once they are done. */
export interface NewSession {
  readonly steps: readonly Step[];
  hand(reply: FastifyReply): void;
}

/**
 * Makes a session for a person. The one that the request came with ends: what a browser
 * brings to its sign-in is never what it leaves with.
 */
export function beginSession(
  request: FastifyRequest,
  {
    personId,
    method,
    address,
  }: { readonly personId: string; readonly method: Method; readonly address: string },
  now: number,
): NewSession {
  const token = mintToken();
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
          mintId('ses'),
          personId,
          method,
          address,
          describeAgent(request.headers['user-agent']),
          now,
        ],
      },
    ],
    hand: (reply) => setCookie(reply, SESSION_COOKIE, token, LONGEST_MS / 1000),
  };
}

/**
 * Notes a fresh proof, under a new token: whoever holds the one of before has proven nothing. Refused when the session has
 * ended.
 */
export function renewSession(id: string, now: number): NewSession {
  const token = mintToken();
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

export function isProofFresh({ provenAt }: Pick<Session, 'provenAt'>, now: number): boolean {
  return provenAt > now - FRESH_MS;
}

/** Ends the sessions of a person: all but one when that is named. */
export function endSessions(personId: string, except = ''): Step {
  return { sql: 'DELETE FROM session WHERE person_id = $1 AND id <> $2', args: [personId, except] };
}

/** Ends the session that asks for it. */
export function signOff(id: string): Step {
  return { sql: 'DELETE FROM session WHERE id = $1', args: [id] };
}

/** Refused when the person has no such session. */
export function endSession(personId: string, id: string): Step {
  return {
    sql: 'DELETE FROM session WHERE person_id = $1 AND id = $2 RETURNING id',
    args: [personId, id],
    guard: true,
  };
}

/** The sessions of a person, the last used first. */
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
    created_at: new Date(Number(row.created_at)).toISOString(),
    last_used_at: new Date(Number(row.last_used_at)).toISOString(),
    address: String(row.address),
    agent: String(row.agent),
    method: row.method as Method,
  }));
}
