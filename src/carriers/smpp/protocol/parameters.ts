/** The optional parameters that messages to a country have besides their text (SMPP 3.4, section 5.3.1). */
import type { Registration } from '../../../core/message/registered.ts';
import type { SmppOptions } from '../options.ts';

const NOTHING = Buffer.alloc(0);

/** One optional parameter. */
export function encodeParameter(tag: number, value: Buffer): Buffer {
  const parameter = Buffer.alloc(4 + value.length);
  parameter.writeUInt16BE(tag, 0);
  parameter.writeUInt16BE(value.length, 2);
  value.copy(parameter, 4);
  return parameter;
}

/** Prepares what can be: only ids of registered texts are written for each message. */
export function prepareParameters({
  tlvs,
  registrationTags,
}: Pick<SmppOptions, 'tlvs' | 'registrationTags'>): (
  country: string,
  registration: Registration | undefined,
) => Buffer {
  const own = tlvs.map(({ tag, text, hex = '', countries }) => {
    const value = text === undefined ? Buffer.from(hex, 'hex') : Buffer.from(text, 'latin1');
    return { parameter: encodeParameter(tag, value), countries };
  });
  const join = (country?: string) =>
    Buffer.concat(
      own.flatMap(({ parameter, countries }) =>
        countries === undefined || (country !== undefined && countries.includes(country)) ? [parameter] : [],
      ),
    );
  const everywhere = own.length === 0 ? NOTHING : join();
  const byCountry = new Map(
    own.flatMap(({ countries = [] }) => countries).map((country) => [country, join(country)]),
  );
  return (country, registration) => {
    const usual = byCountry.get(country) ?? everywhere;
    if (registration === undefined) return usual;
    const { entity, template } = registration;
    return Buffer.concat([
      encodeParameter(registrationTags.entity, Buffer.from(entity, 'latin1')),
      encodeParameter(registrationTags.template, Buffer.from(template, 'latin1')),
      usual,
    ]);
  };
}
