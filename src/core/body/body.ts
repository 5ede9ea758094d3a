/** The optional part of a request's body, checked. */
import type { FieldError } from '../errors/field-error.ts';
import type { MessageOptions } from '../message/message.ts';
import type { CodePolicy } from '../verification/code.ts';
import { findMetadataFault, type Metadata } from './metadata.ts';
import {
  NO_OPTIONS,
  type OptionsInOrder,
  type RequestOptions,
  readOptions,
  type WrongOptions,
} from './options.ts';
import { findSignalsFault, type Signals } from './signals.ts';

/** As a client gave it. */
export interface GivenBody {
  readonly options?: RequestOptions | undefined;
  readonly metadata?: Metadata | undefined;
  readonly signals?: Signals | undefined;
}

export interface Body {
  readonly options: OptionsInOrder;
  readonly metadata: Metadata | undefined;
  readonly signals: Signals | undefined;
}

export const NOTHING_SAID: Body = { options: NO_OPTIONS, metadata: undefined, signals: undefined };

/** The first fault in a body; `options` if what it asks for may have been in order before. */
export type WrongBody =
  | WrongOptions
  | { readonly fault: FieldError<`metadata${string}` | `signals/${string}`>; readonly options?: undefined };

/** The body, or the first fault in it. */
export function readBody(
  { options, metadata, signals }: GivenBody,
  mayBringCodes: boolean,
  messages: Pick<MessageOptions, 'named'>,
  code: Pick<CodePolicy, 'alphabet'>,
): Body | WrongBody {
  if (options === undefined && metadata === undefined && signals === undefined) return NOTHING_SAID;
  const read = readOptions(options ?? {}, messages, code, mayBringCodes);
  if (!read.ok) return read;
  const fault =
    (metadata === undefined ? undefined : findMetadataFault(metadata)) ??
    (signals === undefined ? undefined : findSignalsFault(signals));
  return fault === undefined ? { options: read.options, metadata, signals } : { fault };
}
