/** Guards of missed calls and of RCS that is taken back, by what they say in the lists of mutants. Chosen as those of `chosen.ts` were. */
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
  'nothing is taken back where nobody is to send it on the next channel',
  'nothing is taken back while every carrier of the next channel is of no use',
  'what can be taken back is written as a receipt, also of a carrier that sends none',
];
