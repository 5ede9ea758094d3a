/** With a test key, each of these numbers always has the same outcome. Their area code has no telephones. */
export const MAGIC = [
  { destination: '+15005550001', label: 'Delivered' },
  { destination: '+15005550002', label: 'Undelivered' },
  { destination: '+15005550003', label: 'Refused by the carrier' },
  { destination: '+15005550004', label: 'Delivered slowly' },
  { destination: '+15005550005', label: 'No route' },
  { destination: '+15005550006', label: 'Limit reached' },
] as const;
