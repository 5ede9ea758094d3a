/**
 * What keeps missed calls and RCS that is taken back: guards of the list of mutants, and faults that were written with the doors, before they
 * were played without them.
 */
import type { Edit } from './invented.ts';

export const CHANNELS: readonly string[] = [
  // Missed calls.
  'of open codes of missed calls, no two have the same end',
  'an ending is free once its code has expired',
  'no more endings are taken than may be',
  'no account takes more endings than it may',
  'an ending that was not used is given back',
  'a code of a missed call allows three guesses at most',
  'no request chooses the code of a missed call',
  'at most half of all endings are taken',
  'no account takes the missed calls of all others',
  'a test key takes no ending',
  'a missed call is no later channel of a route',
  'Twilio’s façade makes no missed calls',
  // RCS.
  'nothing is sent after a message that arrived while it was taken back',
  'a message that was just arriving has time to say so',
  'a code that was confirmed while its message was taken back is not sent again',
  'the carrier whose message was taken back is not asked for it again',
  'a message is not taken back from the channel that has its turn',
  'a carrier that fails to take a message back keeps nobody from the next channel',
  'only a channel whose messages end by themselves asks when the next has its turn',
  'nothing is taken back before nothing else is in the way of the next channel',
  'what can be taken back is written as a receipt, also of a carrier that sends none',
];

const REVOCATION = 'src/delivery/revocation.ts';

export const CHANNEL_FAULTS: readonly Edit[] = [
  {
    breaks: 'what was taken back is written as undelivered',
    file: REVOCATION,
    from: 'if (attempt.reference === null) continue;',
    to: 'if (gone.size > 0) continue;',
  },
  {
    breaks: 'why it is undelivered is said',
    file: REVOCATION,
    from: 'reason: TAKEN_BACK, at',
    to: 'reason: null, at',
  },
  {
    breaks: 'what may be arriving is waited for as long as is said',
    file: REVOCATION,
    from: 'const ARRIVING_MS = 1_500;',
    to: 'const ARRIVING_MS = 500;',
  },
  {
    breaks: 'a carrier that hangs is waited for no longer than is said',
    file: 'src/delivery/gate/gate.ts',
    from: 'const REVOKE_MS = 5_000;',
    to: 'const REVOKE_MS = 60_000;',
  },
  {
    breaks: 'what a carrier does not know is not written as undelivered',
    file: REVOCATION,
    from: "(came === 'unknown' ? [] : [attempt])",
    to: "(came === 'arrived' ? [] : [attempt])",
  },
  {
    breaks: 'only what waits for a receipt is taken back',
    file: 'src/store/sqlite/messages/queue.ts',
    from: "AND outcome = 'accepted' AND receipt IS NOT 'undelivered' ORDER BY",
    to: "AND outcome = 'accepted' ORDER BY",
  },
  {
    breaks: 'a carrier is told when a message has had its time',
    file: 'src/delivery/round.ts',
    from: 'const replacedAt = timeOf(this.#ports.nextFallbackStep(message), message, now);',
    to: 'const replacedAt = message.replacedAt;',
  },
  {
    breaks: 'a code of a missed call goes on by a text',
    file: 'src/core/sending/fallback-steps.ts',
    from: '    if (thens === undefined) return NO_LEGS;',
    to: "    if (thens === undefined || route.channel === 'flashcall') return NO_LEGS;",
  },
  {
    breaks: 'a repetition of a missed call that finds no ending is answered as the first',
    file: 'src/core/verification/endings.ts',
    from: 'return first === undefined ? taken : answerAsFirst(deps, first);',
    to: 'return taken;',
  },
  {
    breaks: 'landlines are not called for their list of calls',
    file: 'src/core/destination/channel.ts',
    from: `    segmented: false,
    timed: false,
    refuses: NO_MOBILES,`,
    to: `    segmented: false,
    timed: false,
    refuses: NO_ACCOUNTS,`,
  },
];
