/** Listed guards that the world cannot find, and why: another guard does the same, or nothing in the world comes there. */
export const UNSEEN: Readonly<Record<string, string>> = {
  'a test key chooses and finds no code of a live key':
    'the hash of a number is another one for test keys, so none is found anyway',
  'requests with one Idempotency-Key go one at a time':
    'the store answers the second as a repetition, which the documents allow at once',
  'only verifications of the given destinations are erased':
    'it is for what another process changes between the search and the deletion',
  'a key that is replaced does not work beyond its own expiry': 'no command gives a key an end of its own',
  'what happens again after a restore is told under the same id': 'nothing is restored',
  'messages about one verification go one after another':
    'endpoints answer in the moment in which they are told',
  'outcomes that could not be written are written later': 'a message that comes twice is allowed',
  'nothing is sent under an expired lease': 'there is one process at a time',
  'each claim has a fence of its own': 'there is one process at a time',
  'a renewal after its settlement sends no message again (SQLite)': 'there is one process at a time',
};
