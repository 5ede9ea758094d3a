/** Hooks that cannot work are refused at the start, with the fix and without what is secret. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { mintKey } from '../core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { findProblem, findProblems, loadText } from './fixture.ts';

const { key } = mintKey(SYSTEM_RANDOM, true);
const whsec = `whsec_${randomBytes(32).toString('base64')}`;
const hook = (options: string) => `hooks: { a: { ${options} } }`;

test('a hook of each kind is read', () => {
  const { hooks } = loadText(
    `messages: { named: { login: { en: { sms: "{{code}}" } } } }
hooks:
  supabase: { system: supabase, key: ${key}, secret: "v1,${whsec}", template: login, locale: en }
  rotating: { system: supabase, key: ${key}, secret: "v1,${whsec}|v1,${whsec}" }
  clerk: { system: clerk, key: ${key}, secret: "${whsec}" }
  zitadel: { system: zitadel, key: ${key}, secret: abcdefghijklmnopqrst }
  kratos-eu: { system: kratos, channel: voice }`,
    { HOOKS_KRATOS_EU_KEY: key },
  );
  assert.deepEqual(hooks['kratos-eu'], { system: 'kratos', key, channel: 'voice' });
  assert.equal(hooks.supabase?.template, 'login');
  assert.deepEqual(loadText('').hooks, {});
});

test('what a hook lacks is named', () => {
  for (const [options, wrong] of [
    ['system: kratos', /^hooks\.a\.key: is missing/],
    [`key: ${key}`, /^hooks\.a\.system: is missing/],
    [`system: okta, key: ${key}`, /^hooks\.a\.system: is "okta"/],
    ['system: kratos, key: password', /^hooks\.a\.key: is not an API key of this service; make one with/],
    [`system: supabase, key: ${key}`, /^hooks\.a\.secret: is missing; add it, or secretFile/],
    [
      `system: supabase, key: ${key}, secret: abcdefghijklmnopqrst`,
      /^hooks\.a\.secret: is no secret of supabase/,
    ],
    [`system: supabase, key: ${key}, secret: "v1,${whsec}|"`, /^hooks\.a\.secret: is no secret of supabase/],
    [`system: clerk, key: ${key}, secret: whsec_short`, /^hooks\.a\.secret: is no secret of clerk/],
    [`system: zitadel, key: ${key}, secret: short`, /^hooks\.a\.secret: is no secret of zitadel/],
    [
      `system: kratos, key: ${key}, secret: abcdefghijklmnopqrst`,
      /^hooks\.a\.secret: is set, but kratos signs nothing/,
    ],
    [`system: kratos, key: ${key}, template: login`, /^hooks\.a\.template: is "login", which is no text/],
    [`system: kratos, key: ${key}, channel: pigeon`, /^hooks\.a\.channel: is "pigeon"/],
    [
      `system: kratos, key: ${key}, channel: telegram`,
      /^hooks\.a\.channel: is telegram, which no route serves/,
    ],
    // Whatever routes serve: the system makes its codes.
    [`system: kratos, key: ${key}, channel: flashcall`, /^hooks\.a\.channel: is "flashcall"/],
    [`system: kratos, key: ${key}, secrets: x`, /^hooks\.a\.secrets: is not an option/],
  ] as const) {
    assert.match(findProblem(hook(options)), wrong);
  }
  assert.match(findProblem(`hooks: { "A b": { system: kratos, key: ${key} } }`), /is not a valid name/);
});

test('a hook may send over a channel that a route serves', () => {
  const routes = 'routes: [{ channel: telegram, carriers: [simulator] }]';
  const { hooks } = loadText(`${routes}\n${hook(`system: kratos, key: ${key}, channel: telegram`)}`);
  assert.equal(hooks.a?.channel, 'telegram');
});

test('neither key nor secret is repeated', () => {
  const problems = [
    ...findProblems(hook('system: clerk, key: not-a-key-4711, secret: not-a-secret-4711')),
    ...findProblems(hook('system: kratos, key: [4711]')),
  ];
  assert.equal(problems.length, 3);
  assert.doesNotMatch(JSON.stringify(problems), /4711/);
});
