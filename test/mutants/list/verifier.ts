import type { Mutant } from '../mutant.ts';

const REQUEST = ['src/core/verification/verifier-request.test.ts'];
const CAP = ['src/core/verification/verifier-cap.test.ts'];
const CONFIRM = ['src/core/verification/verifier-confirm.test.ts'];
const INQUIRY = ['src/core/verification/inquiry.test.ts'];
const PROGRESS = ['src/core/verification/progress.test.ts'];
const IDEMPOTENCY = ['src/core/verification/verifier-idempotency.test.ts'];

export const VERIFIER: readonly Mutant[] = [
  {
    breaks: 'a key uses only the channels it was given',
    file: 'src/core/verification/verifier.ts',
    from: 'if (restrictions !== undefined && !allows(restrictions.channels, channel)) {',
    to: 'if (restrictions === null) {',
    tests: REQUEST,
  },
  {
    breaks: 'a place within the cap is given back when nothing was written',
    file: 'src/core/verification/verifier.ts',
    from: 'if (error instanceof StoreUnavailable) cap.giveBack(place);',
    to: '',
    tests: CAP,
  },
  {
    breaks: 'a place within the cap is kept if the verification may have been written',
    file: 'src/core/verification/verifier.ts',
    from: 'if (error instanceof StoreUnavailable) cap.giveBack(place);',
    to: 'cap.giveBack(place);',
    tests: CAP,
  },
  {
    breaks: 'a place within the cap is given back after a replay or a refusal',
    file: 'src/core/verification/verifier.ts',
    from: "if (outcome.kind !== 'issued') cap.giveBack(place);",
    to: '',
    tests: CAP,
  },
  {
    breaks: 'a key sends only to the countries it was given',
    file: 'src/core/verification/verifier.ts',
    from: '!allows(restrictions.countries, destination.country)',
    to: 'restrictions === null',
    tests: REQUEST,
  },
  {
    breaks: 'an account sends only to its countries',
    file: 'src/core/verification/verifier.ts',
    from: '!allows(settings.countries, destination.country)',
    to: 'settings === null',
    tests: REQUEST,
  },
  {
    breaks: "a confirm's Idempotency-Key is separate from a request's",
    file: 'src/core/verification/verifier.ts',
    from: '`confirm\\0$',
    to: '`$',
    tests: CONFIRM,
  },
  {
    breaks: 'the Idempotency-Key of a confirm is bound to the code',
    file: 'src/core/verification/verifier.ts',
    from: 'idempotencyOf(keyHash, mac)',
    to: 'idempotencyOf(keyHash, { ...mac, current: id })',
    tests: CONFIRM,
  },
  {
    breaks: 'the Idempotency-Key of a live request is not answered with a test verification',
    file: 'src/core/verification/verifier.ts',
    from: "{test ? 'test' : 'live'} ",
    to: "{''} ",
    tests: IDEMPOTENCY,
  },
  {
    breaks: 'requests with one Idempotency-Key go one at a time',
    file: 'src/core/verification/verifier.ts',
    from: "if (this.#inProgress.has(place)) return { kind: 'idempotency-in-progress' };",
    to: '',
    tests: IDEMPOTENCY,
  },
  {
    breaks: "one account's Idempotency-Key does not delay another account",
    file: 'src/core/verification/verifier.ts',
    from: '{accountId} $',
    to: '{keyHash} $',
    tests: IDEMPOTENCY,
  },
  {
    breaks: 'an Idempotency-Key is in progress only while its request is',
    file: 'src/core/verification/verifier.ts',
    from: 'this.#inProgress.delete(place);',
    to: '',
    tests: IDEMPOTENCY,
  },
  {
    breaks: 'the first lease counts from before the store was asked',
    file: 'src/core/verification/verifier.ts',
    from: 'handOver(message, createdAt, leasedSince);',
    to: 'handOver(message, createdAt, clock.steady());',
    tests: REQUEST,
  },
  {
    breaks: 'a repetition is answered even if the cap of its route is used up',
    file: 'src/core/verification/verifier.ts',
    from: 'if (replay !== undefined) return replay;',
    to: '',
    tests: CAP,
  },
  {
    breaks: 'a call that no carrier can speak is refused',
    file: 'src/core/verification/verifier.ts',
    from: 'if (!canSpeak(found.route, locale)) {',
    to: "if (locale === '') {",
    tests: REQUEST,
  },
  {
    breaks: 'a key of the other kind sees nothing of a verification',
    file: 'src/core/verification/inquiry.ts',
    from: ' || found.verification.test !== test',
    to: '',
    tests: INQUIRY,
  },
  {
    breaks: 'an inquiry is a request of its key',
    file: 'src/core/verification/inquiry.ts',
    from: 'if (refusal !== undefined) return',
    to: 'if (refusal === null) return',
    tests: INQUIRY,
  },
  {
    breaks: 'a destination whose secret is gone is left out',
    file: 'src/core/verification/inquiry.ts',
    from: 'keyring.canOpen(destinationSealed)',
    to: 'true',
    tests: INQUIRY,
  },
  {
    breaks: 'a receipt says more than the answer before it',
    file: 'src/core/verification/progress.ts',
    from: 'if (receipt !== null) return receipt.status;',
    to: '',
    tests: PROGRESS,
  },
  {
    breaks: 'what was confirmed is confirmed',
    file: 'src/core/verification/progress.ts',
    from: "if (verification.confirmedAt !== null) return 'confirmed';",
    to: '',
    tests: PROGRESS,
  },
  {
    breaks: 'what is still queued has failed once its code has expired',
    file: 'src/core/verification/progress.ts',
    from: 'inQueue && !isOver',
    to: 'inQueue',
    tests: PROGRESS,
  },
  {
    breaks: 'a new verification is leased to the node that writes it',
    file: 'src/core/verification/verifier.ts',
    from: `leaseUntil: createdAt + lease,`,
    to: `leaseUntil: createdAt,`,
    tests: REQUEST,
  },
];
