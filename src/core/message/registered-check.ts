/** Finds faults in texts that are registered in a country. */
import { COUNTRY_LOCALES } from './locales.ts';
import type { MessageOptions } from './message.ts';
import { checkPlaceholders, checkTag, error, type MessageProblem } from './message-problem.ts';
import type { RegisteredTexts } from './registered.ts';

export function* checkRegistered({ registered = {}, named = {} }: MessageOptions): Generator<MessageProblem> {
  for (const [country, texts] of Object.entries(registered)) {
    const key = `registered.${country}`;
    if (!COUNTRY_LOCALES.has(country)) {
      yield error(key, 'Expected a country as two capital letters (ISO 3166 alpha-2).');
    }
    for (const name of Object.keys(texts.named ?? {})) {
      if (Object.hasOwn(named, name)) continue;
      const detail =
        'Expected a name of messages.named: requests ask for a text by that name in any country.';
      yield error(`${key}.named.${name}`, detail);
    }
    yield* checkTexts(key, texts);
  }
}

function* checkTexts(key: string, { entity, texts, named = {} }: RegisteredTexts): Generator<MessageProblem> {
  const places = [
    [`${key}.texts`, texts] as const,
    ...Object.entries(named).map(([name, byLanguage]) => [`${key}.named.${name}`, byLanguage] as const),
  ];
  let hasIds = false;
  for (const [place, byLanguage] of places) {
    if (Object.keys(byLanguage).length === 0) yield error(place, 'Expected a text in at least one language.');
    for (const [tag, { sms, id }] of Object.entries(byLanguage)) {
      const misspelled = checkTag(`${place}.${tag}`, tag);
      if (misspelled) yield misspelled;
      yield* checkPlaceholders(`${place}.${tag}.sms`, sms);
      hasIds ||= id !== undefined;
      if (entity !== undefined && id === undefined) {
        yield error(`${place}.${tag}.id`, 'Expected the id of the text, because entity is set.');
      }
    }
  }
  if (hasIds && entity === undefined) {
    yield error(`${key}.entity`, 'Expected the id of the business, because texts have ids.');
  }
}
