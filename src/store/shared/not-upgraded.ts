/** Only the service upgrades a store: below one that still runs on it, a command would end what that one can do. */
import { StoreUnusable } from '../../core/errors/store-failure.ts';

export const describeNotUpgraded = (why: string): string =>
  `the service on this store has not been upgraded to this version (${why}); start it once, which upgrades the store, or use the command of its own version`;

export const notUpgraded = (why: string): StoreUnusable => new StoreUnusable(describeNotUpgraded(why));

export const olderSchema = (schema: number, known: number): string =>
  `schema ${schema}, this version knows ${known}`;
