/** How one message differs from the usual: its language, its text, its code. */
import type { FieldError } from '../field-error.ts';
import type { MessageOptions, MessageWish } from '../message/message.ts';
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
export interface Wishes extends MessageWish {
  readonly codeLength?: number | undefined;
  readonly customCode?: string | undefined;
}

type OptionFault = FieldError<`options/${string}`>;

export const NO_WISHES: Wishes = {};

const APP_HASH = /^[A-Za-z\d+/]{11}$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/;

/** The options with the language in its canonical spelling, or the first that is wrong. */
export function readOptions(
  { locale, codeLength, template, appHash, customCode }: RequestOptions,
  messages: Pick<MessageOptions, 'named'>,
  { alphabet }: Pick<CodePolicy, 'alphabet'>,
  mayBringCodes: boolean,
): { readonly ok: true; readonly wishes: Wishes } | { readonly ok: false; readonly fault: OptionFault } {
  const wrong = (field: OptionFault['field'], code: OptionFault['code'], detail: string) =>
    ({ ok: false, fault: { field, code, detail } }) as const;
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
  if (template !== undefined && !Object.hasOwn(messages.named ?? {}, template)) {
    const detail = 'must be a name that the operator of the service configured under messages.named';
    return wrong('options/template', 'unknown_template', detail);
  }
  if (appHash !== undefined && !APP_HASH.test(appHash)) {
    const detail = 'must be the 11 characters of A-Z, a-z, 0-9, + and / that the app computes';
    return wrong('options/app_hash', 'wrong_format', detail);
  }
  if (customCode !== undefined) {
    if (!mayBringCodes) {
      const detail =
        'This API key may not bring codes of its own. An owner of the account can allow it in the portal; on the command line it is keys create --custom-codes.';
      return wrong('options/custom_code', 'not_permitted', detail);
    }
    if (!isCode(customCode, alphabet)) {
      const allowed = alphabet === 'digits' ? 'digits' : 'digits and capital letters without I, L, O and U';
      return wrong('options/custom_code', 'wrong_format', `must be ${least} to ${most} ${allowed}`);
    }
    if (codeLength !== undefined) {
      const detail = 'must be left out where options/custom_code is the code';
      return wrong('options/code_length', 'not_allowed_value', detail);
    }
  }
  return { ok: true, wishes: { locale: language, codeLength, template, appHash, customCode } };
}

/**
 * What they change of a message, for telling a repetition with the same Idempotency-Key from another request; empty if nothing,
 * so that the hash of a request without options is what it always was. Metadata and signals are no part of it: neither changes
 * what is sent, and an application that tries again may know of another address by then.
 */
export function describeWishes({ locale, codeLength, template, appHash, customCode }: Wishes): string {
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
