/** How one message differs from the usual: its language, its text, its code. */
import type { FieldError } from '../errors/field-error.ts';
import type { MessageOptions, MessageRequest } from '../message/message.ts';
import { type CodePolicy, LENGTHS, SYMBOLS } from '../verification/code.ts';

export interface RequestOptions {
  /** BCP 47, in any spelling. */
  readonly locale?: string | undefined;
  /** Shorter or longer than the configured one, within the same bounds: it allows as many guesses. */
  readonly codeLength?: number | undefined;
  /** The name of a configured text. */
  readonly template?: string | undefined;
  /** The Android app that the message is for (SMS Retriever). */
  readonly appHash?: string | undefined;
  /** The code to send, in place of one that is drawn. */
  readonly customCode?: string | undefined;
}

/** Options that are in order. */
export interface OptionsInOrder extends MessageRequest {
  readonly codeLength?: number | undefined;
  readonly customCode?: string | undefined;
}

type OptionFault = FieldError<`options/${string}`>;

export const NO_OPTIONS: OptionsInOrder = {};

const APP_HASH = /^[A-Za-z\d+/]{11}$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/;

/** What is wrong with options; `options` if that may change, so that they may have been in order. */
export interface WrongOptions {
  readonly fault: OptionFault;
  readonly options?: OptionsInOrder;
}

/** The options with the language in its canonical spelling, or the first that is wrong. */
export function readOptions(
  given: RequestOptions,
  messages: Pick<MessageOptions, 'named'>,
  policy: Pick<CodePolicy, 'alphabet'>,
  mayBringCodes: boolean,
): { readonly ok: true; readonly options: OptionsInOrder } | ({ readonly ok: false } & WrongOptions) {
  const read = readForm(given);
  if ('fault' in read) return { ok: false, ...read };
  const { options } = read;
  const fault = findDisallowed(options, messages, policy, mayBringCodes);
  return fault === undefined ? { ok: true, options } : { ok: false, fault, options };
}

/** What is right or wrong whatever the configuration, and whoever asks. */
function readForm({ locale, codeLength, template, appHash, customCode }: RequestOptions) {
  const wrong = (field: OptionFault['field'], code: OptionFault['code'], detail: string) => ({
    fault: { field, code, detail },
  });
  const language = locale === undefined ? undefined : canonicalTag(locale);
  if (locale !== undefined && language === undefined) {
    return wrong('options/locale', 'not_a_language', 'must be a language tag (BCP 47), such as pt-BR');
  }
  const [least, most] = LENGTHS;
  if (
    codeLength !== undefined &&
    !(Number.isInteger(codeLength) && codeLength >= least && codeLength <= most)
  ) {
    const code = codeLength < least ? 'too_small' : 'too_large';
    return wrong('options/code_length', code, `must be a whole number from ${least} to ${most}`);
  }
  if (appHash !== undefined && !APP_HASH.test(appHash)) {
    const detail = 'must be the 11 characters of A-Z, a-z, 0-9, + and / that the app computes';
    return wrong('options/app_hash', 'wrong_format', detail);
  }
  if (customCode !== undefined && codeLength !== undefined) {
    const detail = 'must be left out where options/custom_code is the code';
    return wrong('options/code_length', 'not_allowed_value', detail);
  }
  const options: OptionsInOrder = { locale: language, codeLength, template, appHash, customCode };
  return { options };
}

/** What the configuration and the key do not allow now. */
function findDisallowed(
  { template, customCode }: OptionsInOrder,
  messages: Pick<MessageOptions, 'named'>,
  { alphabet }: Pick<CodePolicy, 'alphabet'>,
  mayBringCodes: boolean,
): OptionFault | undefined {
  if (template !== undefined && !Object.hasOwn(messages.named ?? {}, template)) {
    const detail = 'must be a name that the operator of the service configured under messages.named';
    return { field: 'options/template', code: 'unknown_template', detail };
  }
  if (customCode === undefined) return undefined;
  if (!mayBringCodes) {
    const detail =
      'This API key may not bring codes of its own. An owner of the account can allow it in the portal; on the command line it is keys create --custom-codes.';
    return { field: 'options/custom_code', code: 'not_permitted', detail };
  }
  if (isCode(customCode, alphabet)) return undefined;
  const [least, most] = LENGTHS;
  const allowed = alphabet === 'digits' ? 'digits' : 'digits and capital letters without I, L, O and U';
  const detail = `must be ${least} to ${most} ${allowed}`;
  return { field: 'options/custom_code', code: 'wrong_format', detail };
}

/**
 * What they change of a message, for telling a repetition with the same Idempotency-Key from another request; empty if nothing,
 * so that the hash of a request without options is what it always was. Metadata and signals are no part of it: neither changes
 * what is sent, and an application that tries again may know of another address by then.
 */
export function describeOptions({
  locale,
  codeLength,
  template,
  appHash,
  customCode,
}: OptionsInOrder): string {
  const values = [locale, codeLength, template, appHash, customCode];
  return values.every((value) => value === undefined) ? '' : `\0${JSON.stringify(values)}`;
}

function isCode(text: string, alphabet: CodePolicy['alphabet']): boolean {
  const [least, most] = LENGTHS;
  return (
    text.length >= least &&
    text.length <= most &&
    [...text].every((symbol) => SYMBOLS[alphabet].includes(symbol))
  );
}

function canonicalTag(tag: string): string | undefined {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical !== undefined && LANGUAGE.test(canonical) ? canonical : undefined;
  } catch {
    return undefined;
  }
}
