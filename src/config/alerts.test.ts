import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARRIER_TYPES } from '../carriers/all-types.ts';
import { findProblem, findProblems, loadText } from './fixture.ts';
import { displayConfig } from './table/display.ts';

const SMTP = 'smtp: { host: smtp.example.com, from: alerts@example.com }';

test('alerts are looked at every minute and told to nobody by default', () => {
  const { alerts, smtp } = loadText('');
  assert.deepEqual(alerts, { email: [], accounts: true, rules: {} });
  assert.equal(smtp, undefined);
  assert.deepEqual(loadText(SMTP).smtp, {
    ...{ host: 'smtp.example.com', port: 587, encryption: 'starttls', from: 'alerts@example.com' },
  });
});

test('a rule takes a number or whether it is on, from the environment too', () => {
  const text = 'alerts: { rules: { carrierDown: 10, spendOver: 99.5, guardActing: false, queueLate: true } }';
  const { rules } = loadText(text, { ALERTS_RULES_OWNER_NEW: 'false', ALERTS_RULES_QUEUE_LATE: '90' }).alerts;
  assert.deepEqual(rules, {
    ...{ carrierDown: 10, spendOver: 99.5, guardActing: false, queueLate: 90, ownerNew: false },
  });
});

test('what cannot work is refused, with the key and the fix', () => {
  const refusals = [
    ['alerts: { email: [ops@example.com] }', /^alerts\.email: is set, but smtp is not; add smtp/],
    [`${SMTP}\nalerts: { email: ["Ops <ops@example.com>"] }`, /^alerts\.email\[0\]: is .*; correct it/],
    [`${SMTP}\nalerts: { email: ["a@b,c@d"] }`, /^alerts\.email\[0\]: /],
    ['smtp: { host: smtp.example.com }', /^smtp\.from: is missing/],
    ['smtp: { host: smtp.example.com, from: "a@b\\r\\nBcc: c@d" }', /^smtp\.from: /],
    [
      'smtp: { host: smtp.example.com, from: a@b.example, encryption: none }',
      /^smtp\.encryption: is none, and the server is another machine.*; use starttls/,
    ],
    [
      'smtp: { host: smtp.example.com, from: a@b.example, user: ada }',
      /^smtp\.password: is not set, but smtp\.user is/,
    ],
    [
      'smtp: { host: smtp.example.com, from: a@b.example, password: precious }',
      /^smtp\.user: is not set, but/,
    ],
    ['alerts: { rules: { carrierDown: 0 } }', /^alerts\.rules\.carrierDown: is 0; correct it/],
    ['alerts: { rules: { ownerNew: 3 } }', /^alerts\.rules\.ownerNew: is 3; correct it/],
    [
      'alerts: { rules: { carrierDwon: 3 } }',
      /^alerts\.rules\.carrierDwon: is not an option; did you mean carrierDown/,
    ],
    [
      'alerts: { webhook: { url: "ftp://precious.example/x" } }',
      /^alerts\.webhook\.url: is no address to send to/,
    ],
    ['alerts: { webhook: { url: "https://a:precious@x.example/" } }', /^alerts\.webhook\.url: is no address/],
    ['alerts: { webhook: { url: "https://:precious@x.example/" } }', /^alerts\.webhook\.url: is no address/],
    ['alerts: { webhook: { url: "https://precious@x.example/" } }', /^alerts\.webhook\.url: is no address/],
    ['alerts: { webhook: { url: "https://x.example/#precious" } }', /^alerts\.webhook\.url: is no address/],
    ['alerts: { webhook: { url: "https://x.example/", secret: precious } }', /^alerts\.webhook\.secret: /],
  ] as const;
  for (const [text, expected] of refusals) {
    assert.match(findProblem(text), expected, text);
    assert.doesNotMatch(JSON.stringify(findProblems(text)), /precious/, text);
  }
  for (const host of ['localhost', '127.0.0.1', '"::1"'])
    assert.deepEqual(findProblems(`smtp: { host: ${host}, from: a@b.example, encryption: none }`), [], host);
});

test('addresses of chats and passwords are not shown', () => {
  const config = loadText(
    `smtp: { host: smtp.example.com, from: a@b.example, user: ada, password: precious }
alerts: { webhook: { url: "https://hooks.example/precious" } }`,
  );
  assert.doesNotMatch(JSON.stringify(displayConfig(config, CARRIER_TYPES)), /precious/);
});
