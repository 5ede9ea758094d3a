/** The optional part of a request's body, checked. */
import type { FieldError } from '../field-error.ts';
import type { MessageOptions } from '../message/message.ts';
import type { CodePolicy } from '../verification/code.ts';
import { findMetadataFault, type Metadata } from './metadata.ts';
import { NO_WISHES, type RequestOptions, readOptions, type Wishes } from './options.ts';
import { findSignalsFault, type Signals } from './signals.ts';

/** As a client gave it. */
export interface GivenBody {
  readonly options?: RequestOptions | undefined;
  readonly metadata?: Metadata | undefined;
  readonly signals?: Signals | undefined;
}

export interface Body {
  readonly wishes: Wishes;
  readonly metadata: Metadata | undefined;
  readonly signals: Signals | undefined;
}

export const NOTHING_SAID: Body = { wishes: NO_WISHES, metadata: undefined, signals: undefined };

/** The body, or the first fault in it. */
export function readBody(
  { options, metadata, signals }: GivenBody,
  mayBringCodes: boolean,
  messages: Pick<MessageOptions, 'named'>,
  code: Pick<CodePolicy, 'alphabet'>,
): Body | { readonly fault: FieldError<`options/${string}` | `metadata${string}` | `signals/${string}`> } {
  if (options === undefined && metadata === undefined && signals === undefined) return NOTHING_SAID;
  const read = readOptions(options ?? {}, messages, code, mayBringCodes);
  if (!read.ok) return read;
  const fault =
    (metadata === undefined ? undefined : findMetadataFault(metadata)) ??
    (signals === undefined ? undefined : findSignalsFault(signals));
  return fault === undefined ? { wishes: read.wishes, metadata, signals } : { fault };
}
