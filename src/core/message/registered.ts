/**
 * Texts that were registered in a country: its operators drop every other (India's DLT). A text goes out as it was
 * registered, and a carrier may have to name it by its ids.
 */
import { findWritten } from './language-range.ts';

interface RegisteredText {
  /** With placeholders where the registered text has variables. */
  readonly sms: string;
  /** Absent if nobody has to name it. */
  readonly id?: string;
}

type ByLanguage = Readonly<Record<string, RegisteredText>>;

export interface RegisteredTexts {
  /** Id of the business that registered them; there exactly if the texts have ids. */
  readonly entity?: string;
  /** By language, the one to fall back to first. Never empty. */
  readonly texts: ByLanguage;
  /** By the name that requests ask for them by, and by language. */
  readonly named?: Readonly<Record<string, ByLanguage>>;
}

/** The ids under which a text is registered. */
export interface Registration {
  readonly entity: string;
  readonly template: string;
}

interface RegisteredChoice {
  readonly locale: string;
  readonly own: string;
  readonly isRegistered: true;
  readonly registration: Registration | undefined;
}

/**
 * The text of that name and language. If none is registered for them, the nearest that is: a text in other words would
 * not arrive.
 */
export function chooseRegistered(
  { entity, texts, named }: RegisteredTexts,
  wanted: string,
  name: string | undefined,
): RegisteredChoice {
  const ofName =
    name !== undefined && named !== undefined && Object.hasOwn(named, name) ? named[name] : texts;
  const choices = ofName ?? texts;
  const tags = Object.keys(choices);
  const locale = findWritten(wanted, tags) ?? tags[0] ?? '';
  const { sms = '', id } = choices[locale] ?? {};
  const registration = entity === undefined || id === undefined ? undefined : { entity, template: id };
  return { locale, own: sms, isRegistered: true, registration };
}
