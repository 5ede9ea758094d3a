/** Checks the voices that the operator chose by language. */

/** Of some languages there are a hundred. */
const MOST_NAMED = 20;

/**
 * `option: fault` of a voice that the carrier does not have, or that speaks another language; null if there is none.
 * @param list the carrier's voices with the primary subtag of the language that each speaks
 */
export function findFaultOfVoices(
  chosen: Readonly<Record<string, string>> | undefined,
  list: () => ReadonlyMap<string, string>,
): string | null {
  if (chosen === undefined) return null;
  const known = list();
  for (const [tag, name] of Object.entries(chosen)) {
    const [language = ''] = tag.split('-', 1);
    const spoken = known.get(name);
    if (spoken === language) continue;
    const wrong = spoken === undefined ? `${name} is no voice of this carrier` : `${name} speaks ${spoken}`;
    const there = [...known].flatMap(([each, speaks]) => (speaks === language ? [each] : []));
    const more = there.length > MOST_NAMED ? ` and ${there.length - MOST_NAMED} more` : '';
    const instead =
      there.length === 0
        ? `it has none that speaks ${language}`
        : `there is ${there.slice(0, MOST_NAMED).join(', ')}${more}`;
    return `voice.voices.${tag}: ${wrong}; ${instead}`;
  }
  return null;
}
