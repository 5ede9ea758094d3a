/** Listed guards that the world cannot find, and why: another guard does the same, or nothing in the world comes there. */
export const UNSEEN: Readonly<Record<string, string>> = {
  'who confirmed a number last is asked of one account':
    'the hash of a number is another one in each account, so none is found anyway',
  'who confirmed a number last is asked of keys of one kind':
    'the hash of a number is another one for test keys, so none is found anyway',
  'a provider that is away is not asked again and again':
    'that it is away is known before a question is paid, too',
  'a test key chooses and finds no code of a live key':
    'the hash of a number is another one for test keys, so none is found anyway',
  'test keys have no list': 'the list has the hash of a number as live keys have it',
  'a test key cancels no code of a live key': 'what is to be canceled is looked up first, by the same key',
  'a confirmation by id ends nothing for who does not confirm by number':
    'only codes that may be checked by number are ended; whether they may once it is off is open',
  'what has ended is not confirmed, whatever a clock says': 'its time says it, too, and no clock goes back',
  'what has ended is neither found nor ended again by its number':
    'its time says it, too, and no clock goes back',
  'what has ended is over for who compares times': 'its state says it, too',
  'requests with one Idempotency-Key go one at a time':
    'the store answers the second as a repetition, which the documents allow at once',
  'only verifications of the given destinations are erased':
    'it is for what another process changes between the search and the deletion',
  'what only reads is not in doubt after a broken commit':
    'of a request that was not answered the documents allow both: that nothing was done, and that nobody knows',
  'what happens again after a restore is told under the same id': 'nothing is restored',
  'messages about one verification go one after another':
    'endpoints answer in the moment in which they are told',
  'outcomes that could not be written are written later': 'a message that comes twice is allowed',
  'no carrier is asked for what is not wanted any more': 'its gate looks at that, too',
  'a canceled code is not sent any more':
    'its time is over, too; that it is told as failed a little later is allowed',
  'nothing is sent under an expired lease': 'there is one process at a time',
  'each claim has a fence of its own': 'there is one process at a time',
  'a settlement that is repeated skips no channel (SQLite)':
    'a fault is met by what a command asks for, which is never a settlement; and no route of the world has a third channel',
  'a code is not kept for a time after its expiry':
    'nothing is claimed after its expiry, and it is erased then',
  'a renewal after its settlement sends no message again (SQLite)': 'there is one process at a time',
  'a message is not taken back from the channel that has its turn':
    'what that channel took is sent again only once it is reported undelivered, and nobody is asked about that; no route has a third channel',
  'what can be taken back is written as a receipt, also of a carrier that sends none':
    'every carrier of the world may send receipts',
  'the carrier whose message was taken back is not asked for it again':
    'the round that follows goes by another channel, and the next one reads it from the store',
  'of two nodes that claim at once one gets the message':
    'one question is answered at a time: a claim is over before the next (test/store/postgres/interleavings)',
};
