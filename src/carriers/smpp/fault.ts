import { COUNTRY_LOCALES } from '../../core/message/locales.ts';
import type { SmppOptions } from './options.ts';
import { GSM_CODINGS, UCS2_CODINGS } from './protocol/alphabets.ts';

/**
 * Parameters that would contradict the rest of a message: message_payload is another text, the sar_ ones another
 * concatenation (SMPP 3.4, section 5.3.2).
 */
const OURS = new Set([0x0424, 0x020c, 0x020e, 0x020f]);

const VERSIONS = [0x33, 0x34, 0x50];
export const OPTIONAL_PARAMETERS_SINCE = 0x34;

/** What is wrong with the options together: `option: fault`, or null. */
export function findSmppFault(options: SmppOptions): string | null {
  return (
    findFaultOfVersion(options) ??
    findFaultOfCoding(options) ??
    findFaultOfCertificate(options) ??
    findFaultOfParameters(options)
  );
}

function findFaultOfVersion({ interfaceVersion, bind, long, tlvs }: SmppOptions): string | null {
  if (!VERSIONS.includes(interfaceVersion))
    return `interfaceVersion: ${octet(interfaceVersion)} is not one of ${list(VERSIONS)}`;
  if (interfaceVersion >= OPTIONAL_PARAMETERS_SINCE) return null;
  if (bind === 'transceiver') return 'bind: SMPP 3.3 has no transceiver; set separate or transmitter';
  if (long !== 'udh') return `long: SMPP 3.3 has no optional parameters, and ${long} needs them; set udh`;
  return tlvs.length > 0 ? 'tlvs: SMPP 3.3 has no optional parameters' : null;
}

function findFaultOfCoding({ dataCoding: { gsm, ucs2 } }: SmppOptions): string | null {
  if (!GSM_CODINGS.has(gsm)) return `dataCoding.gsm: ${octet(gsm)} is not one of ${list(GSM_CODINGS.keys())}`;
  if (!UCS2_CODINGS.has(ucs2)) return `dataCoding.ucs2: ${octet(ucs2)} is not one of ${list(UCS2_CODINGS)}`;
  return null;
}

function findFaultOfCertificate({ tls }: SmppOptions): string | null {
  if (tls === false || (tls.cert === undefined) === (tls.key === undefined)) return null;
  return tls.key === undefined
    ? 'tls.key: is missing, and cert needs it'
    : 'tls.cert: is missing, and key needs it';
}

function findFaultOfParameters({ registrationTags, tlvs }: SmppOptions): string | null {
  const { entity, template } = registrationTags;
  if (entity === template)
    return 'registrationTags.template: is the same as entity; give each id a tag of its own';
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

function list(values: Iterable<number>): string {
  return [...values].map(octet).join(', ');
}

function octet(value: number): string {
  return `0x${value.toString(16).padStart(2, '0')}`;
}

function show(tag: number): string {
  return `0x${tag.toString(16).padStart(4, '0')}`;
}
