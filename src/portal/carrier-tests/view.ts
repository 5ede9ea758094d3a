/** A test as people see it. It is made of the rows that any message has, so that what is shown is what happened. */
import type { AskedTest } from '../../accounts/carrier-tests.ts';
import { maskDestination } from '../../core/destination/destination-mask.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { openField } from '../../core/secrets/sealed-field.ts';
import { NOT_ASKED, OPERATORS_FAULT, UNCLEAR } from '../../core/sending/carrier.ts';
import type { ArchivedAttempt, FoundVerification } from '../../core/verification/reading/archive.ts';
import { formatInstant } from '../../operations/instant.ts';
import type { CarrierTestView } from './contract.ts';

const MILLIONTHS = 1_000_000;
/** In place of a number whose secret is gone. */
const UNREADABLE = '•••';

/** `overdue`: an answer will no longer come. */
export function viewTest(
  keyring: Keyring,
  { id, carrier, askedBy, askedAt }: AskedTest,
  { verification, attempts }: FoundVerification,
  overdue: boolean,
): CarrierTestView {
  const { channel, destinationSealed: sealed } = verification;
  // It is asked once.
  const [attempt] = attempts;
  const receipt = attempt?.receipt ?? null;
  return {
    ...{ id, carrier, channel },
    number: keyring.canOpen(sealed)
      ? maskDestination(openField(keyring, sealed, id, 'destination'))
      : UNREADABLE,
    asked_by: askedBy,
    asked_at: formatInstant(askedAt),
    state: attempt === undefined ? (overdue ? 'unknown' : 'waiting') : stateOf(attempt),
    answer: attempt === undefined ? null : viewAnswer(attempt),
    receipt: receipt && { status: receipt.status, reason: receipt.reason, at: formatInstant(receipt.at) },
  };
}

function stateOf({ outcome, reason, receipt }: ArchivedAttempt): CarrierTestView['state'] {
  switch (outcome) {
    case 'accepted':
      return receipt?.status ?? 'taken';
    case 'delivered':
      return 'delivered';
    default:
      if (reason?.startsWith(NOT_ASKED)) return 'not-asked';
      return reason?.endsWith(UNCLEAR) ? 'unclear' : 'refused';
  }
}

function viewAnswer(attempt: ArchivedAttempt): CarrierTestView['answer'] {
  const { startedAt, endedAt, reference, reason, cost } = attempt;
  return {
    at: formatInstant(endedAt),
    ms: Math.max(0, endedAt - startedAt),
    reference,
    reason: reason === null ? null : plain(reason),
    cause: causeOf(attempt),
    cost: cost / MILLIONTHS,
  };
}

function causeOf(attempt: ArchivedAttempt): NonNullable<CarrierTestView['answer']>['cause'] {
  if (stateOf(attempt) !== 'refused') return null;
  if (attempt.reason?.startsWith(OPERATORS_FAULT)) return 'settings';
  return attempt.outcome === 'permanent' ? 'message' : 'for-now';
}

/** The carrier's own words, without those that `state` and `cause` tell. */
function plain(reason: string): string {
  const [prefix = ''] = [NOT_ASKED, OPERATORS_FAULT].filter((each) => reason.startsWith(each));
  const end = reason.endsWith(UNCLEAR) ? -UNCLEAR.length : undefined;
  return reason.slice(prefix.length, end);
}
