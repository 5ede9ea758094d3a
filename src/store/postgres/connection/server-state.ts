/** What became of the servers of an address when they were last asked. */

import { StoreUnavailable } from '../../../core/errors/store-failure.ts';
import type { ServerState } from '../../../core/sql/database.ts';

/** Why a server that answers is not used. */
type RefusedState = Exclude<ServerState, 'used' | 'unreachable'>;

/** The server answers, and is not what is wanted. */
export class ServerRefused extends StoreUnavailable {
  readonly state: RefusedState;

  constructor(state: RefusedState, message: string) {
    super(message);
    this.state = state;
  }
}

/** For a failure that means that the server cannot be used. */
export function stateAfter(error: unknown): ServerState {
  return error instanceof ServerRefused ? error.state : 'unreachable';
}

/** A standby beside a primary is as it should be; everything else is told. */
export function isOrdinary(error: unknown): boolean {
  return error instanceof ServerRefused && (error.state === 'standby' || error.state === 'read-only');
}
