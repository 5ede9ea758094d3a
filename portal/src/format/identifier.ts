/** Identifiers of the configuration in words for people. */

/** Words that are written in a way of their own. */
const WRITTEN: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'API',
      'AWS',
      'CA',
      'GSM',
      'HTTP',
      'ID',
      'JSON',
      'NPI',
      'RCS',
      'SAR',
      'SID',
      'SIP',
      'SMPP',
      'SMS',
      'TLS',
      'TLVs',
    ],
    ...[
      'TON',
      'UDH',
      'URL',
      'UCS-2',
      'SHA-256',
      'SHA-512',
      'POST',
      'PUT',
      'GET',
      'WhatsApp',
      'Asterisk',
      'English',
    ],
  ].map((word) => [word.toLowerCase().replace('-', ''), word]),
);

/** Where the words of the identifier alone say too little. */
const SAID: ReadonlyMap<string, string> = new Map([
  ['ca', 'Certificate authority'],
  ['cert', 'Certificate'],
  ['equals', 'Is one of'],
  ['in', 'Where it is'],
  ['long', 'Long messages'],
  ['servername', 'Server name'],
  ['then', 'Then by'],
  ['user', 'User name'],
]);

/** `systemId` as `System ID`. */
export function identifierWords(identifier: string): string {
  const said = SAID.get(identifier);
  if (said !== undefined) return said;
  const words = identifier
    .split(/(?=[A-Z](?![A-Z0-9]|$))|[-_]/)
    .map((word) => WRITTEN.get(word.toLowerCase()) ?? word.toLowerCase())
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `carriers.acme.sms.from` as `acme: SMS, From`, and `routes[0].dailyCap` as `Route 1: Daily cap`. */
export function optionWords(key: string): string {
  const [, carrier, route, path = ''] = /^(?:carriers\.([^.]+)|routes\[(\d+)\])\.?(.*)$/.exec(key) ?? [];
  const owner = carrier ?? (route === undefined ? undefined : `Route ${Number(route) + 1}`);
  if (owner === undefined) return identifierWords(key);
  const words = path
    .split('.')
    .filter((part) => part !== '')
    .map(identifierWords);
  return words.length === 0 ? owner : `${owner}: ${words.join(', ')}`;
}
