/** Options that carriers behind an HTTP API share. */
import { CHANNEL_NAMES, type Channel } from '../../core/destination/channel.ts';
import { flag, integer, text } from '../../options/fields.ts';

/**
 * Plain HTTP would show the credentials and the code to anyone on the network path. A stand-in on this machine may do
 * without TLS.
 */
const ORIGIN = '^(https://[A-Za-z0-9.-]+(:[0-9]{1,5})?|http://(127\\.0\\.0\\.1|localhost)(:[0-9]{1,5})?)$';

export function apiUrl(description: string, fallback?: string) {
  return text(description, {
    pattern: ORIGIN,
    expected: 'an https address without a path such as https://api.example.com',
    ...(fallback !== undefined && { default: fallback }),
  });
}

export const connections = integer(
  'Maximum number of connections, and so of requests under way at once.',
  [1, 10_000],
  50,
);

export const smsSender = text('Sender: a number, a short code, or a name.', {
  pattern: '^(\\+?[0-9]{3,15}|[A-Za-z0-9 ._+&-]{1,11})$',
  expected: 'a number such as "+12025550123", a short code, or a name of up to 11 characters',
});

export function uuid(description: string) {
  return text(description, { pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', expected: 'a UUID' });
}

export const englishFallback = flag(
  'Whether calls are made in English if the carrier has no voice for the language. With `false` they are left to the other carriers of the route, and refused with 400 if none of them has a voice.',
  true,
);

/** The caller ID of a call. */
export function caller(description: string) {
  return text(description, { pattern: '^\\+[1-9][0-9]{4,14}$', expected: 'a number such as "+12025550123"' });
}

/** The channels of a carrier that has a group of options for each channel. */
export function channelsNamedIn(options: Readonly<Partial<Record<Channel, unknown>>>): readonly Channel[] {
  return CHANNEL_NAMES.filter((channel) => options[channel] !== undefined);
}
