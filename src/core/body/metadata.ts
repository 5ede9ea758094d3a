/** What a client keeps with a verification of its own, such as the number of an order. Never in logs or metrics. */
import type { FieldError } from '../errors/field-error.ts';

export type Metadata = Readonly<Record<string, string>>;

export const METADATA_PAIRS = 10;
export const METADATA_NAME = '^[a-zA-Z0-9_.-]{1,40}$';
export const METADATA_LENGTH = 200;

const NAME = new RegExp(METADATA_NAME);
const CONTROL = /\p{Cc}/u;

/** The first pair that cannot be kept. A name that is wrong is not repeated: it may hold anything. */
export function findMetadataFault(
  metadata: Readonly<Record<string, unknown>>,
): FieldError<`metadata${string}`> | undefined {
  const pairs = Object.entries(metadata);
  if (pairs.length > METADATA_PAIRS) {
    const detail = `must have at most ${METADATA_PAIRS} pairs`;
    return { field: 'metadata', code: 'too_many_entries', detail };
  }
  for (const [index, [name, value]] of pairs.entries()) {
    if (!NAME.test(name)) {
      const detail = `the name of pair ${index + 1} must be 1 to 40 letters, digits, underscores, dots and hyphens`;
      return { field: 'metadata', code: 'wrong_format', detail };
    }
    const field = `metadata/${name}` as const;
    if (typeof value !== 'string') return { field, code: 'wrong_type', detail: 'must be a string' };
    if (value === '') return { field, code: 'too_short', detail: 'must not be empty' };
    if (value.length > METADATA_LENGTH) {
      return { field, code: 'too_long', detail: `must be at most ${METADATA_LENGTH} characters` };
    }
    if (CONTROL.test(value)) {
      return { field, code: 'wrong_format', detail: 'must not contain control characters' };
    }
  }
  return undefined;
}
