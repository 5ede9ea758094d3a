import { COUNTRY_LOCALES } from '../../core/message/locales.ts';
import type { SmppOptions } from './options.ts';

/**
 * Parameters that would contradict the rest of a message: message_payload is another text, the sar_ ones another
 * concatenation (SMPP 3.4, section 5.3.2).
 */
const OURS = new Set([0x0424, 0x020c, 0x020e, 0x020f]);

/** What is wrong with the optional parameters: `option: fault`, or null. */
export function findFault({ registrationTags, tlvs }: SmppOptions): string | null {
  const { entity, template } = registrationTags;
  if (entity === template)
    return 'registrationTags.template: is the same as entity; each id needs a tag of its own';
  for (const [name, tag] of Object.entries(registrationTags)) {
    if (OURS.has(tag)) return `registrationTags.${name}: ${show(tag)} is a part of the message itself`;
  }
  const taken = new Set([entity, template]);
  for (const [index, { tag, text, hex, countries = [] }] of tlvs.entries()) {
    const option = `tlvs[${index}]`;
    if ((text === undefined) === (hex === undefined)) return `${option}: needs either text or hex`;
    if (OURS.has(tag)) return `${option}.tag: ${show(tag)} is a part of the message itself`;
    if (taken.has(tag)) return `${option}.tag: ${show(tag)} is there twice, or is one of registrationTags`;
    taken.add(tag);
    const unknown = countries.find((country) => !COUNTRY_LOCALES.has(country));
    if (unknown !== undefined)
      return `${option}.countries: ${unknown} is not a country with telephone numbers (ISO 3166 alpha-2)`;
  }
  return null;
}

function show(tag: number): string {
  return `0x${tag.toString(16).padStart(4, '0')}`;
}
