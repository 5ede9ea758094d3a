/**
 * The store is away or cannot commit. What became of the call says which of the two it is; who merely asks again later
 * need not tell them apart.
 */
export abstract class StoreFailure extends Error {}

/** Nothing was done: disk full, database away, closed. */
export class StoreUnavailable extends StoreFailure {
  override readonly name: string = 'StoreUnavailable';
}

/**
 * What was asked for lies in a broken part of the store's file. Nothing of the request was written, and nothing but a backup
 * helps: the message says so, and where.
 */
export class StoreDamaged extends StoreUnavailable {
  override readonly name = 'StoreDamaged';
}

/** The store cannot be opened as things are; the message says why, where, and what to do. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}

/** The call may have been carried out as a whole, or not at all: the connection broke while it was committing. */
export class OutcomeUnknown extends StoreFailure {
  override readonly name = 'OutcomeUnknown';
}
