/** A messaging service that is to send SMS and has an RCS sender: Twilio then sends by RCS what is meant as SMS. */
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import type { Config } from '../config/table/schema.ts';
import type { Warning } from '../config/warnings.ts';
import type { Channel } from '../core/destination/channel.ts';
import { typeOf } from '../options/carrier-type.ts';

const SERVICE = /^MG[0-9a-f]{32}$/;

export function* warnOfChannelSenders({ carriers }: Pick<Config, 'carriers'>): Generator<Warning> {
  const overRcs = new Map(servicesOf(carriers, 'rcs').map(({ key, service }) => [service, key]));
  for (const { key, service } of servicesOf(carriers, 'sms')) {
    const other = overRcs.get(service);
    if (other === undefined) continue;
    const detail = `is the messaging service of ${other}, too: with an RCS sender in it, Twilio sends what is meant as SMS over RCS; name one without it here (docs/rcs.md)`;
    yield { key, detail };
  }
}

function servicesOf(carriers: Config['carriers'], channel: Channel) {
  return Object.entries(carriers).flatMap(([name, options]) =>
    (typeOf(CARRIER_TYPES, options).sendersOf?.(options) ?? [])
      .filter(({ channels }) => channels.includes(channel))
      .flatMap(({ group, short, one, senders }) => {
        const at = ['carriers', name, ...group].join('.');
        const all = Object.entries(senders ?? {}).map(([to, service]) => ({
          key: `${at}.senders.${to}`,
          service,
        }));
        return one === undefined ? all : [{ key: `${at}.${short}`, service: one }, ...all];
      })
      .filter(({ service }) => SERVICE.test(service)),
  );
}
