/**
 * The store is down or cannot commit. The subclass says whether the call may have been carried out.
 */
export abstract class StoreFailure extends Error {}

/** Nothing was done: disk full, database down, closed. */
export class StoreUnavailable extends StoreFailure {
  override readonly name: string = 'StoreUnavailable';
}

/**
 * The request needs a broken part of the store's file. Nothing was written, and only a backup helps: the message says so,
 * and where.
 */
export class StoreDamaged extends StoreUnavailable {
  override readonly name = 'StoreDamaged';
}

/** The store cannot be opened; the message says why, where, and what to do. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}

/** There is no store, and this caller may not make one. */
export class StoreAbsent extends Error {
  override readonly name = 'StoreAbsent';
}

/** The connection broke during the commit: the call was carried out completely or not at all. */
export class OutcomeUnknown extends StoreFailure {
  override readonly name = 'OutcomeUnknown';
}
