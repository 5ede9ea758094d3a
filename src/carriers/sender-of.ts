/** Prepares the senders of a carrier at its start, so that choosing one for a message is a look-up. */

/** By ISO 3166 alpha-2, or `ZZ`. */
export type SenderOf<S = string> = (country: string) => S;

/** What the options of any carrier call them. */
export interface Senders {
  readonly from?: string | undefined;
  readonly senders?: Readonly<Record<string, string>> | undefined;
}

/** `prepare` gets undefined if there is no sender for all other countries. */
export function prepareSenders<S>(
  { from, senders = {} }: Senders,
  prepare: (sender: string | undefined) => S,
): SenderOf<S> {
  const { default: standard = from, ...own } = senders;
  const fallback = prepare(standard);
  const byCountry = new Map(Object.entries(own).map(([country, sender]) => [country, prepare(sender)]));
  if (byCountry.size === 0) return () => fallback;
  return (country) => byCountry.get(country) ?? fallback;
}

/** For carriers that need a sender; the configuration is refused without one. */
export function senderOf(senders: Senders): SenderOf;
export function senderOf<S>(senders: Senders, prepare: (sender: string) => S): SenderOf<S>;
export function senderOf<S>(senders: Senders, prepare?: (sender: string) => S): SenderOf<S | string> {
  return prepareSenders(senders, (sender) => {
    if (sender === undefined) throw new Error('from: is missing, and senders has no default');
    return prepare === undefined ? sender : prepare(sender);
  });
}
