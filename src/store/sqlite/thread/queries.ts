import type { DatabaseSync } from 'node:sqlite';
import type { StoreRules } from '../../port.ts';
import { createCarrierStates } from '../messages/carrier-states.ts';
import { createEarlyReceipts } from '../messages/early-receipts.ts';
import { createSenders } from '../messages/senders.ts';
import { createTallies } from '../statistics/tallies.ts';
import { createArchive } from '../verifications/archive.ts';
import { createHistory } from '../verifications/history.ts';

/** Every query of the reader, by name. */
export const createQueries = (db: DatabaseSync, { verifications }: StoreRules['retention']) => ({
  ...createTallies(db),
  ...createCarrierStates(db),
  ...createEarlyReceipts(db),
  ...createArchive(db, verifications),
  ...createHistory(db, verifications),
  ...createSenders(db, verifications),
});

export type Queries = ReturnType<typeof createQueries>;
