import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProblem, loadText } from '../fixture.ts';

const CARRIERS = `
carriers:
  smsc: { type: smpp, host: h, systemId: u, password: p, source: A }
  both: { type: http, url: "https://h/", json: { to: "{{to}}", code: "{{code}}" }, channels: [sms, voice] }
`;
const withThen = (then: string, ...routes: string[]) =>
  `${CARRIERS}routes:\n${[`{ channel: sms, carriers: [smsc, both], then: ${then} }`, ...routes]
    .map((route) => `  - ${route}`)
    .join('\n')}`;

test('a message may go on by another channel, with carriers or by the route of that channel', () => {
  const { routes } = loadText(withThen('{ channel: voice, carriers: [both], after: 20s }'));
  assert.deepEqual(routes[0]?.then, { channel: 'voice', carriers: ['both'], after: 20_000 });
  const [, voice] = loadText(withThen('{ channel: voice }', '{ channel: voice, carriers: [both] }')).routes;
  assert.deepEqual(voice?.carriers, ['both']);
});

test('what cannot be gone on by is refused, with the key and the fix', () => {
  assert.match(
    findProblem(withThen('{ channel: sms, carriers: [both] }')),
    /^routes\[0\].then.channel: is sms, which the message has gone by before/,
  );
  assert.match(
    findProblem(withThen('{ channel: voice, carriers: [both], then: { channel: sms } }')),
    /^routes\[0\].then.then.channel: is sms, which/,
  );
  assert.match(
    findProblem(withThen('{ channel: voice, carriers: [smsc] }')),
    /^routes\[0\].then.carriers\[0\]: smsc cannot do voice/,
  );
  assert.match(
    findProblem(withThen('{ channel: voice, carriers: [bth] }')),
    /^routes\[0\].then.carriers\[0\]: bth is not a carrier; did you mean both\?/,
  );
  assert.match(
    findProblem(withThen('{ channel: voice }')),
    /^routes\[0\].then.carriers: is missing, and no route has the channel voice/,
  );
  assert.match(
    findProblem(withThen('{ channel: voice, carriers: [both], after: 4s }')),
    /^routes\[0\].then.after: is "?4s/,
  );
  assert.match(
    findProblem(`code: { validFor: 2m }\n${withThen('{ channel: voice, carriers: [both], after: 2m }')}`),
    /^routes\[0\].then.after: is 2m, and a code is valid for 2m/,
  );
});

test('a carrier that only a later channel names is used', () => {
  const text = `carriers:
  smsc: { type: smpp, host: h, systemId: u, password: p, source: A }
  calls: { type: http, url: "https://h/", json: { to: "{{to}}", code: "{{code}}" }, channels: [voice] }
routes: [{ channel: sms, carriers: [smsc], then: { channel: voice, carriers: [calls] } }]`;
  assert.equal(loadText(text).routes.length, 1);
});

test('a missed call comes first or not at all: its code is the end of a number', () => {
  const calls = `carriers:
  smsc: { type: smpp, host: h, systemId: u, password: p, source: A }
  calls: { type: asterisk, url: "http://127.0.0.1:8088", user: u, password: p, trunk: t, flashcall: { numbers: ["+4930123xxxx"] } }
`;
  const first = `${calls}routes: [{ channel: flashcall, carriers: [calls], then: { channel: sms, carriers: [smsc], after: 20s } }]`;
  assert.equal(loadText(first).routes[0]?.then?.channel, 'sms');
  assert.match(
    findProblem(
      `${calls}routes: [{ channel: sms, carriers: [smsc], then: { channel: flashcall, carriers: [calls] } }]`,
    ),
    /^routes\[0\].then.channel: is flashcall, whose code is the end of a number, and the code was made for sms/,
  );
});
