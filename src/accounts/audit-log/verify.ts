/** Tells whether an account's audit log is as it was written. */
import {
  CHAIN_START,
  hashEntry,
  type Link,
  type NotedLink,
  timeOfEntry,
} from '../../core/accounts/audit-chain.ts';
import { query, type Records } from '../../core/sql/records.ts';
import { AUDIT_MS } from '../audit.ts';
import { type ChainedEntry, type ChainPage, walkChain } from './chain.ts';

/** The first thing that is wrong. */
export interface ChainFault {
  /** The entry at which it shows; null if it is past the last one. */
  readonly entry: { readonly seq: number | null; readonly id: string; readonly at: number } | null;
  /** What is wrong, for people. */
  readonly detail: string;
}

export interface ChainFacts {
  readonly entries: number;
  /** Unix ms; null without entries. */
  readonly from: number | null;
  readonly to: number | null;
  /** The last entry. */
  readonly last: Link;
  /** The last of those that were deleted with age. */
  readonly removed: Link;
}

export type ChainVerdict =
  /** `isOlder`: the noted entry was deleted with age, and can no longer be compared. A note with a time says that it was old enough. */
  | { readonly ok: true; readonly facts: ChainFacts; readonly isOlder: boolean }
  | { readonly ok: false; readonly fault: ChainFault };

/** `noted` is a link that somebody kept elsewhere: the chain must still go through it. */
export async function verifyAuditLog(
  records: Records,
  accountId: string,
  now: number,
  noted?: NotedLink,
): Promise<ChainVerdict> {
  const check = new ChainCheck(now, noted);
  for await (const page of walkChain(records, accountId)) {
    const fault = check.read(page);
    if (fault !== undefined) return { ok: false, fault };
  }
  const fault = (await findUnchained(records, accountId)) ?? check.end();
  return fault === undefined
    ? { ok: true, facts: check.facts, isOlder: check.isOlder }
    : { ok: false, fault };
}

/** The trigger chains every entry: one without a number was put in past it. */
async function findUnchained(records: Records, accountId: string): Promise<ChainFault | undefined> {
  const [row] = await query(
    records,
    'SELECT id, at FROM audit_entry WHERE account_id = $1 AND seq IS NULL ORDER BY id LIMIT 1',
    accountId,
  );
  if (row === undefined) return undefined;
  const entry = { seq: null, id: String(row.id), at: Number(row.at) };
  return { entry, detail: 'it is not in the chain: it was not written by the service' };
}

/** The clock of a node that deletes may be ahead of ours. */
const CLOCKS_MS = 86_400_000;
const YOUNG = 'younger than the two years for which entries are kept';

/** Follows a chain, page by page. */
export class ChainCheck {
  readonly #noted: NotedLink | undefined;
  /** What is from after this is not deleted with age. */
  readonly #keptSince: number;
  #at = CHAIN_START;
  #removed = CHAIN_START;
  #head: Link | undefined;
  #entries = 0;
  #from: number | null = null;
  #to: number | null = null;

  constructor(now: number, noted?: NotedLink) {
    this.#noted = noted;
    this.#keptSince = now - AUDIT_MS + CLOCKS_MS;
  }

  read({ removed, removedEntry, head, entries }: ChainPage): ChainFault | undefined {
    // Also if the oldest were deleted while we walk.
    if (removed.seq > this.#at.seq) {
      this.#at = removed;
      this.#removed = removed;
      const fault = this.#compare(removed, null) ?? this.#judgeAge(removed, removedEntry);
      if (fault !== undefined) return fault;
    }
    this.#head = head;
    for (const entry of entries) {
      const fault = this.#take(entry);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /** After the last page, which has no entries. */
  end(): ChainFault | undefined {
    const { seq } = this.#at;
    const head = this.#head?.seq ?? 0;
    if (head > seq) {
      return { entry: null, detail: `${entriesFrom(seq + 1, head)} missing: the log ends before them` };
    }
    if (head < seq || (this.#head !== undefined && this.#head.hash !== this.#at.hash)) {
      return {
        entry: null,
        detail: `the store has noted another end than entry ${seq}: its last entries were replaced`,
      };
    }
    if (this.#noted !== undefined && this.#noted.seq > seq) {
      return {
        entry: null,
        detail: `the log ends at entry ${seq}, before the noted entry ${this.#noted.seq}: its last entries were removed, or the store is an older backup`,
      };
    }
    if (this.isOlder && (this.#noted?.at ?? 0) > this.#keptSince) {
      return { entry: null, detail: `the noted entry ${this.#noted?.seq} is gone, and is ${YOUNG}` };
    }
    return undefined;
  }

  get facts(): ChainFacts {
    return {
      entries: this.#entries,
      from: this.#from,
      to: this.#to,
      last: this.#at,
      removed: this.#removed,
    };
  }

  get isOlder(): boolean {
    return this.#noted !== undefined && this.#noted.seq < this.#removed.seq;
  }

  #take(entry: ChainedEntry): ChainFault | undefined {
    const { seq, hash, at } = entry;
    const next = this.#at.seq + 1;
    if (seq < next) return { entry, detail: 'there is another entry with its number: it was put in later' };
    if (seq > next) return { entry, detail: `${entriesFrom(next, seq - 1)} missing before it` };
    if (hash !== hashEntry(this.#at.hash, entry)) {
      return {
        entry,
        detail: 'its hash does not match: it was changed or replaced, or the entry before it was',
      };
    }
    this.#at = { seq, hash };
    this.#entries += 1;
    this.#from ??= at;
    this.#to = at;
    return this.#compare({ seq, hash }, entry);
  }

  /** Entries are in order of time, so the last of those that are gone says how old all of them were. */
  #judgeAge(removed: Link, text: string | null): ChainFault | undefined {
    const gone = `${removed.seq === 1 ? 'entry 1 is' : `entries 1 to ${removed.seq} are`} gone, and`;
    const at = text === null ? undefined : timeOfEntry(removed, text);
    if (at === undefined) {
      return {
        entry: null,
        detail: `${gone} nothing shows that age took them: somebody deleted them, or the version before did, which kept nothing to show it`,
      };
    }
    if (at <= this.#keptSince) return undefined;
    return { entry: null, detail: `${gone} the last of them is ${YOUNG}` };
  }

  #compare({ seq, hash }: Link, entry: ChainFault['entry']): ChainFault | undefined {
    if (this.#noted?.seq !== seq || this.#noted.hash === hash) return undefined;
    return {
      entry,
      detail: `entry ${seq} is not the one that was noted: the log up to it was written again, or the hash is of another account`,
    };
  }
}

const entriesFrom = (first: number, last: number): string =>
  first === last ? `entry ${first} is` : `entries ${first} to ${last} are`;
