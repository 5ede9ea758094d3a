/** What can be wrong with a configured message. */

export interface MessageProblem {
  /** With a `warning` messages are still sent, but in more segments, or to telephones that do not fill in the code. */
  readonly level: 'error' | 'warning';
  /** The option, such as `templates.de.sms`. */
  readonly key: string;
  readonly detail: string;
}

export function error(key: string, detail: string): MessageProblem {
  return { level: 'error', key, detail };
}

export function warning(key: string, detail: string): MessageProblem {
  return { level: 'warning', key, detail };
}

/** A misspelled tag would silently choose another language. */
export function checkTag(key: string, tag: string): MessageProblem | undefined {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical === tag ? undefined : error(key, `Expected the language tag written as ${canonical}.`);
  } catch {
    return error(key, 'Expected a language tag (BCP 47), such as pt-BR.');
  }
}

export function* checkPlaceholders(key: string, text: string): Generator<MessageProblem> {
  if (!text.includes('{{code}}')) yield error(key, 'Expected {{code}} in the text.');
  if (/\{\{(?!(?:code|brand|minutes)\}\})/.test(text)) {
    yield error(key, 'Expected no placeholders except {{code}}, {{brand}} and {{minutes}}.');
  }
}
