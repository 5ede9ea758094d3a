/**
 * The audit log of an account is a chain: each entry has a number, and a hash of itself and of the hash before it. Who has
 * one hash can tell whether anything up to its entry was changed since.
 */
import { hash } from 'node:crypto';

export interface Link {
  /** The number of its entry in the account, from 1. */
  readonly seq: number;
  /** SHA-256 in hex. */
  readonly hash: string;
}

/** A link that somebody keeps elsewhere. Without a time if it was noted without one. */
export interface NotedLink extends Link {
  /** Of its entry, in Unix ms. */
  readonly at?: number | undefined;
}

/** Before the first entry. */
export const CHAIN_START: Link = { seq: 0, hash: '' };

/** What the hash of an entry covers. */
export interface ChainedFields {
  readonly seq: number;
  readonly accountId: string;
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
  readonly who: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

/**
 * What a hash is of: a JSON array, which no two entries share, and which others can compute. In PostgreSQL the database computes the
 * same (`audit_hash` in its migration), so neither may ever change.
 */
export function textOfEntry(before: string, entry: ChainedFields): string {
  const { seq, accountId, id, at, who, address, action, subject, detail } = entry;
  return JSON.stringify([before, seq, accountId, id, at, who, address, action, subject, detail]);
}

export const hashEntry = (before: string, entry: ChainedFields): string =>
  hash('sha256', textOfEntry(before, entry));

/** When the entry of this link was made, by what its hash is of; undefined if the hash is not of this text. */
export function timeOfEntry(link: Link, text: string): number | undefined {
  if (hash('sha256', text) !== link.hash) return undefined;
  const [, seq, , , at] = arrayIn(text);
  return seq === link.seq && typeof at === 'number' ? at : undefined;
}

/** Somebody may have written any text together with its hash. */
function arrayIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** As people note it, such as `57:9f86d0…@2026-11-20T16:03:10.004Z`. */
export const formatLink = ({ seq, hash, at }: NotedLink): string =>
  `${seq}:${hash}${at === undefined ? '' : `@${new Date(at).toISOString()}`}`;

/** Undefined if it is not one. */
export function parseLink(text: string): NotedLink | undefined {
  const [, seq, noted, time] = /^([1-9]\d{0,14}):([0-9a-f]{64})(?:@(\S+))?$/i.exec(text.trim()) ?? [];
  if (seq === undefined || noted === undefined) return undefined;
  const link = { seq: Number(seq), hash: noted.toLowerCase() };
  if (time === undefined) return link;
  const at = Date.parse(time);
  return Number.isNaN(at) ? undefined : { ...link, at };
}
