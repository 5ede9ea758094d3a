/**
 * Notices that the SMSC has forgotten the session although its connection stands (SMPP 3.4, sections 2.2 and 5.1.3). Only a new
 * bind helps then.
 */
import { COMMAND } from './protocol/pdu.ts';
import { commandStatusName, isThrottled, STATUS } from './protocol/status.ts';

/** Why a session is useless. `barren`: it was never of use, so a new one is likely to be no better. */
export interface Forgotten {
  readonly reason: string;
  readonly barren: boolean;
}

/** So many response timeouts without an answer to any submit_sm are more than slowness. */
const MUTE_TIMEOUTS = 3;

export class SessionWatch {
  readonly #muteMs: number;
  /** When the first submit_sm was sent of those that have not been answered in time, with no answer to any since. */
  #muteSince: number | undefined;
  #carried = false;
  #checked = false;

  constructor({ responseTimeout }: { readonly responseTimeout: number }) {
    this.#muteMs = MUTE_TIMEOUTS * responseTimeout;
  }

  /** Whether the SMSC has answered any submit_sm as one of a bound session. */
  get carried(): boolean {
    return this.#carried;
  }

  /** The SMSC has answered a request, in time or not. */
  answered(command: number, status: number): Forgotten | undefined {
    if (command === COMMAND.submitSm) {
      if (status === STATUS.invalidBindStatus) return forgotten('submit_sm', status, !this.#carried);
      this.#carried = true;
      this.#muteSince = undefined;
    } else if (command === COMMAND.enquireLink) {
      // An enquire_link asks nothing but whether the session stands. One that comes too soon is no no.
      if (status !== STATUS.ok && !isThrottled(status)) {
        return forgotten('enquire_link', status, !this.#carried && !this.#checked);
      }
      this.#checked = true;
    }
    return undefined;
  }

  /** A submit_sm has not been answered in time. */
  unanswered(sentAt: number, now: number): Forgotten | undefined {
    this.#muteSince ??= sentAt;
    if (now - this.#muteSince < this.#muteMs) return undefined;
    return { reason: 'the SMSC answers no submit_sm', barren: !this.#carried };
  }
}

function forgotten(command: string, status: number, barren: boolean): Forgotten {
  return { reason: `the SMSC has forgotten the session: ${command}, ${commandStatusName(status)}`, barren };
}
