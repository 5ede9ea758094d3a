/** Numbers that play one outcome each to a test key; they belong to an area code without telephones. */
export const MAGIC = [
  { destination: '+15005550001', label: 'Delivered' },
  { destination: '+15005550002', label: 'Undelivered' },
  { destination: '+15005550003', label: 'Refused by the carrier' },
  { destination: '+15005550004', label: 'Delivered slowly' },
  { destination: '+15005550005', label: 'No route' },
  { destination: '+15005550006', label: 'Limit reached' },
] as const;
