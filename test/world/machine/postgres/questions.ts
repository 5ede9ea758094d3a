/** What the questions of a node do, as far as it matters to what happens around them. */

/** Functions of the schema that change what a command asks for. */
const CHANGING: ReadonlySet<string> = new Set([
  ...['issue', 'confirm', 'confirm_once', 'confirm_by_number', 'approve', 'cancel', 'take_requests'],
  ...['settle', 'receive', 'reserve_more', 'erase'],
]);
/** Statements that nobody asks for, and that come again and again. */
const LOOKING: ReadonlySet<string> = new Set([
  ...['renew', 'note_carrier_states', 'probe', 'reserve', 'take_quota', 'return_quota', ''],
]);

/** Whether it changes something that somebody asked for. */
export function changes(name: string, text: string): boolean {
  if (CHANGING.has(name)) return true;
  return !LOOKING.has(name) && /\b(INSERT|UPDATE|DELETE)\b/.test(text);
}

export const commits = (text: string): boolean => text === 'COMMIT';

/** Whether it asks the database for the time. */
export const tellsTime = (text: string): boolean => /\bclock_timestamp\b/.test(text);
