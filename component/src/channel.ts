/** How a code may be sent. */

/** What the attribute `channels` may name: all but missed calls, for which the element has no words. */
export const CHANNELS = ['sms', 'voice', 'whatsapp', 'telegram', 'rcs'] as const;

export type Channel = (typeof CHANNELS)[number];

/** The names of the apps, or of what they are used for. They are the same in every language. */
export const APPS: Readonly<Partial<Record<Channel, string>>> = {
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  rcs: 'RCS',
};

/** Those of the attribute, each once, in its order. */
export function channelsIn(attribute: string | null): readonly Channel[] {
  const named = (attribute ?? '').split(/\s+/);
  const known = named.flatMap((name) => CHANNELS.filter((channel) => channel === name));
  return known.length > 0 ? [...new Set(known)] : ['sms'];
}

/** What is offered in place of a channel: the next one, and the first after the last. The channel itself if there is no other. */
export function insteadOf(channel: Channel, channels: readonly Channel[]): Channel {
  return channels[(channels.indexOf(channel) + 1) % channels.length] ?? channel;
}
