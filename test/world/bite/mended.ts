/**
 * Guards that keep away the faults between parts that were mended last (CHANGELOG.md), by what they say in the lists of mutants. They
 * were chosen before anybody knew whether the world finds them, and none is dropped because it is not found.
 */
export const MENDED: readonly string[] = [
  // Live and test keys.
  'a test key confirms no live code',
  'why a code was not judged is said to keys of its kind',
  'a test key chooses and finds no code of a live key',
  'a test key cancels no code of a live key',
  'a verification is for keys of its kind',
  'a key of the other kind sees nothing of a verification',
  'one string is another Idempotency-Key with a live key and with a test key',
  // Codes of one number, through two doors.
  'a confirmation by id ends the other codes of its number',
  'a confirmation by id ends nothing for who does not confirm by number',
  'an approval ends the other codes of the number',
  'what has ended is not confirmed, whatever a clock says',
  'what has ended is neither found nor ended again by its number',
  'what has ended is over for who compares times',
  'only codes that were made for it are found by their number',
  'a canceled code is not sent any more',
  'an approval without a code holds the account’s own limits of wrong codes',
  // Repetitions.
  'whatever refuses a request, a repetition is answered as the first',
  'a repetition is looked for whatever is never sent to by now',
  'a repetition is answered though its number was blocked meanwhile',
  'a refused number keeps no Idempotency-Key',
  'what a budget refuses keeps no Idempotency-Key',
  'a person who asks once more is sent the same code again',
  'what only reads is not in doubt after a broken commit',
  // Budgets, beside a reload and after a failure.
  'no carrier is asked that costs more than its message holds',
  'a carrier that became dearer is reserved before it is asked',
  'a budget that is new to a message counts what it holds (SQLite)',
  'what a failed message held goes back to its budgets',
  'what another carrier would have cost comes back when the code expires',
  // Keys.
  'the successor of a key has its restrictions',
  'the successor of a key may bring codes if the key may',
  'a key that is replaced does not work beyond its own expiry',
  'a full number is not for every key of the account',
  'a successor reads the numbers of the key before',
  'a wrong code shows no number that was given by an id',
  // STOP and START, retention and erasure.
  'who was accepted last is the sender, and not who asked last',
  'the sender is who wrote through the same carrier',
  'a code past its retention is not confirmed',
  'what is past its retention is not shown',
  'of what is past its retention no endpoint is told',
  'a send that was erased still counts against the limits',
  'only verifications of the given destinations are erased',
  'an erasure leaves the list alone unless it is told otherwise',
  // Events and leases.
  'what happens again after a restore is told under the same id',
  'of two attempts at one carrier each is told',
  'messages about one verification go one after another',
  'a renewal after its settlement sends no message again (SQLite)',
];
