/**
 * Authentication templates of WhatsApp: Meta has written and approved their words in each language, and we say only which one, and
 * the code.
 */
import Type from 'typebox';
import { findWritten } from '../../core/message/language-range.ts';
import { text } from '../../options/fields.ts';
import { TEMPLATE_LANGUAGES } from './languages.ts';

const language = (description: string) =>
  Type.Enum([...TEMPLATE_LANGUAGES], {
    description,
    names: 'language',
    expected: 'a language that Meta has templates in, as it spells it: en_US, de, pt_BR and so on',
  });

export function whatsappSender(description: string) {
  return text(description, { pattern: '^\\+[1-9][0-9]{4,14}$', expected: 'a number such as "+12025550123"' });
}

export const templateFields = {
  template: text('Name of the authentication template, whose button copies the code.', {
    pattern: '^[a-z0-9_]{1,512}$',
    expected: 'a name of lower-case letters, digits and _',
  }),
  language: language('Language of the template for everybody whose own is not among `languages`.'),
  languages: Type.Array(language('A language such as `pt_BR`.'), {
    default: [],
    description: 'The other languages in which the template is approved.',
  }),
};

export interface WhatsAppTemplate {
  readonly template: string;
  readonly language: string;
  readonly languages: readonly string[];
}

/** The version for the language of a message: its own, the nearest, or the one for everybody else. */
export function createLanguageChooser({ language, languages }: WhatsAppTemplate): (locale: string) => string {
  const approved = new Map([language, ...languages].map((each) => [each.replaceAll('_', '-'), each]));
  return (locale) => approved.get(findWritten(locale, approved.keys()) ?? '') ?? language;
}

/** The template of one message in the terms of Meta: the code stands in the text, and is what the button copies. */
export function createTemplateMaker(options: WhatsAppTemplate) {
  const languageOf = createLanguageChooser(options);
  return ({ locale, code }: { readonly locale: string; readonly code: string }) => {
    const parameters = [{ type: 'text', text: code }];
    return {
      name: options.template,
      language: { policy: 'deterministic', code: languageOf(locale) },
      components: [
        { type: 'body', parameters },
        { type: 'button', sub_type: 'url', index: '0', parameters },
      ],
    };
  };
}
