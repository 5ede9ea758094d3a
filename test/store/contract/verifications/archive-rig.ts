/** Reading past verifications, in ways that are held against each other. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type {
  ArchivedVerification,
  ArchiveFilter,
  ArchivePage,
} from '../../../../src/core/verification/reading/archive.ts';
import { progressOf, type VerificationProgress } from '../../../../src/core/verification/reading/progress.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import { DAY, LAX, type OpenedStore, type OpenStore, seenByPeople } from '../rig.ts';

export const FAILED = { kind: 'failed' } as const;

/** What an app may be told of a verification that people see with this status. */
const TOLD: Readonly<Record<string, readonly VerificationProgress[]>> = {
  confirmed: ['confirmed'],
  failed: ['failed'],
  undelivered: ['undelivered'],
  expired: ['expired'],
  pending: ['queued', 'submitted', 'delivered'],
};

// Partitions are made around today, and a test near midnight must not need yesterday's.
export const NOON = Date.now() - (Date.now() % DAY) + DAY / 2;

export const idsOf = (verifications: readonly ArchivedVerification[]) => verifications.map(({ id }) => id);

/** A store for a suite, and what people find in it. */
export class Archive {
  #opened: OpenedStore | undefined;

  constructor(open: OpenStore) {
    before(async () => {
      this.#opened = await open(LAX);
    });
    after(() => this.#opened?.dispose());
  }

  get store(): Store {
    assert.ok(this.#opened);
    return this.#opened.store;
  }

  search(
    accountId: string,
    filter: ArchiveFilter = {},
    { limit = 50, before = null, now = NOON }: { limit?: number; before?: string | null; now?: number } = {},
  ): Promise<ArchivePage> {
    return this.store.searchArchive({ accountId, filter, before, limit, now });
  }

  async count(accountId: string, filter: ArchiveFilter = {}): Promise<number> {
    const part = await this.store.countArchive({ accountId, filter, before: null, now: NOON });
    assert.equal(part.next, null);
    return part.count;
  }

  async found(accountId: string, filter: ArchiveFilter, now = NOON): Promise<string[]> {
    return idsOf((await this.search(accountId, filter, { now })).verifications);
  }

  async look(v: NewVerification, now = NOON) {
    const one = await this.store.findArchived(seenByPeople(v.accountId), v.id, now);
    assert.ok(one);
    const listed = (await this.search(v.accountId, {}, { now })).verifications.find(({ id }) => id === v.id);
    assert.deepEqual(listed, one.verification, 'the list and the page of one say the same');
    for (const carrier of one.verification.asked)
      assert.ok((await this.found(v.accountId, { carrier }, now)).includes(v.id), `${carrier} was asked`);
    const byStatus = await this.found(v.accountId, { status: one.verification.status }, now);
    assert.ok(byStatus.includes(v.id), 'it is found by the status that is shown');
    const { status } = one.verification;
    // Whether it is locked is said by the guesses that are left.
    if (status !== 'locked')
      assert.ok(TOLD[status]?.includes(progressOf(one, now)), `an app is told ${status}`);
    return one;
  }

  async statusOf(v: NewVerification, now = NOON) {
    return (await this.look(v, now)).verification.status;
  }
}
