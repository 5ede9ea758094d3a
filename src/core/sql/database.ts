/** What operators want to know of the servers of a database. */

/** What a server of a database was when it was last asked. */
export type ServerState =
  | 'used'
  | 'unreachable'
  | 'standby'
  | 'read-only'
  /** A primary from before a promotion. */
  | 'left-behind'
  /** Its commits do not wait for the disk. */
  | 'unsafe-commits'
  /** Another program, which may read from a standby. */
  | 'pgpool';

export interface ServerNote {
  /** Host and port. */
  readonly server: string;
  readonly state: ServerState;
}

export interface DatabaseWatch {
  /** The server in use, and those that were asked in the last minute. */
  readonly servers: readonly ServerNote[];
  /** How many standbys commits wait for one or more of: with 0, a commit is on one disk. Undefined if the role may not see it. */
  countSynchronous(): Promise<number | undefined>;
}
