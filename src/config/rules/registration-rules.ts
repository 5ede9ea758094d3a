/** Where texts are registered with ids, the carriers of that country must be told them. */
import { carriersTo } from '../../core/sending/reach.ts';
import { type CarrierType, typeOf } from '../../options/carrier-type.ts';
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';

/** Of the countries whose ids carriers have fields for. */
const CALLING_CODES: Readonly<Record<string, string>> = { IN: '+91' };

export function* checkRegistrations(
  { carriers, routes, messages }: Config,
  types: readonly CarrierType[],
): Generator<RuleFinding> {
  for (const [country, { entity }] of Object.entries(messages.registered)) {
    if (entity === undefined) continue;
    for (const name of carriersTo(routes, 'sms', country, CALLING_CODES[country])) {
      const options = carriers[name];
      const registering = options && typeOf(types, options).registering;
      if (options === undefined || registering?.of(options, country) !== 'no-fields') continue;
      const elsewhere = `route ${country} over others`;
      const { inAccount } = registering;
      const missing = registering.fieldsWith?.(country);
      const subject = missing === undefined ? options.type : `${options.type} without ${missing}`;
      const arranged = inAccount && `${inAccount}: true if the texts are set up in the account there`;
      const setting = missing ?? arranged;
      yield {
        key: ['carriers', name],
        wrong: `${subject} has no field for the ids of messages.registered.${country}, and a route sends SMS to ${country} over it`,
        expected: `carriers that are told them: ${listAble(types, country)}`,
        fix: setting === undefined ? elsewhere : `${elsewhere}, or set ${setting}`,
      };
    }
  }
}

/** The types whose requests can carry the ids of a country; those of an http carrier can carry any. */
function listAble(types: readonly CarrierType[], country: string): string {
  const able = types.filter(({ registering }) => registering && registering.inAccount === undefined);
  const names = country === 'IN' ? able.map(({ options }) => options.properties.type.const) : [];
  return [...names, 'http with {{templateId}}'].join(', ');
}
