import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadText } from './fixture.ts';

const CONFIG = `
port: 9000
carriers:
  smsc:
    type: smpp
    host: h
    systemId: u
    source: Acme
    prices: { DE: 0.08, default: 0.05 }
    tls: { servername: s }
  gateway:
    type: http
    url: https://h/
    headers: { x-key: hunter22 }
    json: { to: "{{to}}", code: "{{code}}", key: hunter22 }
routes:
  - { channel: sms, carriers: [smsc, gateway] }
`;

test('each option of carriers and routes has the place where it was set, and no value', () => {
  const variables = {
    CARRIERS_SMSC_PASSWORD: 'hunter22',
    CARRIERS_GATEWAY_SENDER: 'Acme',
    CARRIERS_SMSC_HOST: 'i',
  };
  const { file, isThere, options } = loadText(CONFIG, variables).given;
  assert.ok(isThere && file.endsWith('/countersign.yaml'));
  assert.deepEqual(
    options.map(({ key, by, place }) => [key, by, by === 'file' ? Number(place.split(':').at(-1)) : place]),
    [
      ['carriers.smsc.type', 'file', 5],
      ['carriers.smsc.systemId', 'file', 7],
      ['carriers.smsc.source', 'file', 8],
      ['carriers.smsc.prices', 'file', 9],
      ['carriers.smsc.tls.servername', 'file', 10],
      ['carriers.smsc.password', 'variable', 'COUNTERSIGN_CARRIERS_SMSC_PASSWORD'],
      ['carriers.smsc.host', 'variable', 'COUNTERSIGN_CARRIERS_SMSC_HOST'],
      ['carriers.gateway.type', 'file', 12],
      ['carriers.gateway.url', 'file', 13],
      ['carriers.gateway.headers', 'file', 14],
      ['carriers.gateway.json', 'file', 15],
      ['carriers.gateway.sender', 'variable', 'COUNTERSIGN_CARRIERS_GATEWAY_SENDER'],
      ['routes[0].channel', 'file', 17],
      ['routes[0].carriers', 'file', 17],
    ],
  );
  assert.doesNotMatch(JSON.stringify(options), /hunter22/);
});

test('of what nobody set there is nothing', () => {
  assert.deepEqual(loadText('port: 9000').given.options, []);
});
