/** The store cannot commit now (disk full, database away). The request is answered 503; nothing of it was written. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
