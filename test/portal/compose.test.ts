/** What the form writes is what the service takes, for every type of carrier, and what it sends says the same without secrets. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Typed } from '../../portal/src/pages/carriers/compose/entry.ts';
import {
  headsFor,
  makeProposal,
  writeSent,
  writeWhole,
} from '../../portal/src/pages/carriers/compose/proposal.ts';
import { looksSecret, redact } from '../../portal/src/pages/carriers/compose/redact.ts';
import { CARRIER_TYPES } from '../../src/carriers/registry.ts';
import { findProblems, loadText } from '../../src/config/fixture.ts';
import { checkProposal } from '../../src/proposal/check.ts';
import { describeForms, type Field } from '../../src/proposal/form.ts';
import { makeKey } from '../../src/proposal/stand-ins.ts';

const KEY = await makeKey();
const FORMS = describeForms(CARRIER_TYPES) as never;
const { carriers, route } = describeForms(CARRIER_TYPES);
const folder = mkdtempSync(join(tmpdir(), 'countersign-compose-'));
after(() => rmSync(folder, { recursive: true }));
const authority = join(folder, 'ca.pem');
writeFileSync(authority, 'a certificate');
const EMPTY = loadText('');

type Values = ReadonlyMap<string, string>;
const typedOf = (values: Values): Typed => ({
  text: (name) => values.get(name) ?? '',
  all: (name) => (values.has(name) ? (values.get(name) ?? '').split(' ') : []),
});

/** What people would type there. */
const LIKELY = ['Acme', '+12025550123', 'http://127.0.0.1:8088', 'https://api.example.com', 'eu-central-1'];

function fittingText({ pattern, path }: Field): fc.Arbitrary<string> {
  if (/(^|\.)ca$/.test(path)) return fc.constant(authority);
  if (pattern === null) return fc.constantFrom('some.example', 'name');
  const likely = LIKELY.filter((text) => new RegExp(pattern).test(text));
  if (likely.length > 0) return fc.constantFrom(...likely);
  return fc.stringMatching(new RegExp(pattern)).filter((text) => text.trim() === text && text !== '');
}

/** Only what has to be said, and the first channel. */
function leastOf(fields: readonly Field[], part: string, on: readonly string[]): fc.Arbitrary<Values> {
  const needed = fields.filter(({ path, required, kind }) => {
    const group = path.split('.').slice(0, -1);
    const isThere = group.every((_, index) => {
      const outer = fields.find((each) => each.path === group.slice(0, index + 1).join('.'));
      return outer?.required === true || on.includes(outer?.path ?? '');
    });
    return (required && isThere && kind === 'text') || on.includes(path);
  });
  return fc
    .tuple(...needed.map((field) => (field.kind === 'group' ? fc.constant('on') : fittingText(field))))
    .map((texts) => new Map(needed.map(({ path }, index) => [`${part}.${path}`, texts[index] ?? ''])));
}

function examplesOf(fields: readonly Field[], part: string): Values {
  return new Map(
    fields.flatMap(({ path, example, kind, choices, fallback }) => {
      const value =
        example ??
        (kind === 'choice' ? (fallback === null ? '' : String(JSON.parse(fallback))) : undefined) ??
        (kind === 'choices' ? (JSON.parse(fallback ?? '[]') as string[]).join(' ') : undefined) ??
        (kind === 'flag' && fallback === 'true' ? 'on' : undefined);
      return value === undefined || (choices.length === 0 && value === '')
        ? []
        : [[`${part}.${path}`, value]];
    }),
  );
}

const channelsOf = (fields: readonly Field[]) =>
  ['sms', 'voice'].filter((name) => fields.some(({ path }) => path === name));

const makeWith = (type: string | undefined, values: Values, variables: boolean) =>
  makeProposal({
    forms: FORMS,
    carrier: carriers.find((each) => each.type === type) as never,
    withRoute: true,
    typed: typedOf(values),
    secretsAt: variables ? { in: 'variables' } : { in: 'files', folder },
    hasRoutes: false,
  });

/** Makes the files, or says the variables, that a proposal needs. */
function provide(
  secrets: readonly { readonly option: string; readonly place: string }[],
  variables: boolean,
) {
  const settings: Record<string, string> = {};
  for (const { option, place } of secrets) {
    const value = /privateKey$/.test(option) ? KEY : 'x'.repeat(16);
    if (variables) settings[place.replace(/^COUNTERSIGN_/, '')] = value;
    else {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, value, { mode: 0o600 });
    }
  }
  return settings;
}

const HEADS = headsFor({ hasCarriers: false, hasRoutes: false }, 0);

/** Of types that serve one channel, which none of their options names. */
const ONLY: Readonly<Record<string, string>> = { asterisk: 'voice', meta: 'whatsapp', telegram: 'telegram' };

suite('what the form writes', () => {
  for (const { type, fields } of carriers) {
    const channels = channelsOf(fields);
    const served = channels[0] ?? ONLY[type] ?? 'sms';

    test(`for ${type} is taken when its secrets are there`, async () => {
      await fc.assert(
        fc.asyncProperty(
          leastOf(fields, 'carrier', channels.slice(0, 1)),
          fc.boolean(),
          async (least, variables) => {
            const values = new Map([
              ...examplesOf(fields, 'carrier'),
              ...examplesOf(route as Field[], 'route'),
              ...least,
              ...([
                ['name', 'acme'],
                ['route.channel', served],
                ['route.carriers', 'acme'],
              ] as const),
            ]);
            const { proposal, faults } = makeWith(type, values, variables);
            assert.deepEqual(faults, []);
            const settings = provide(proposal.secrets, variables);
            const whole = writeWhole(proposal, HEADS);
            assert.deepEqual(findProblems(whole, settings), [], whole);
            const { problems } = await checkProposal(writeSent(proposal), EMPTY, CARRIER_TYPES, KEY);
            assert.deepEqual(problems, [], whole);
          },
        ),
        { numRuns: 6 },
      );
    });

    test(`for ${type}, whatever is typed, is judged as what is sent is`, async () => {
      const anything = fc.dictionary(
        fc.constantFrom(...fields.map(({ path }) => path)),
        fc.oneof(
          fc.constantFrom('', 'on', '10s', '5/10m', '3', '{"a":"{{to}}"}', 'DE: 0.1', 'a, b'),
          fc.constantFrom('{{to}} {{text}}', 'UK: 1', 'X-Key: {{code}} é', 'http://h/{{x}}'),
          fc.string({ unit: 'binary', maxLength: 12 }),
        ),
      );
      await fc.assert(
        fc.asyncProperty(
          anything,
          fc.boolean(),
          leastOf(fields, 'carrier', channelsOf(fields)),
          async (typed, variables, least) => {
            const isFile = (path: string) => /(^|\.)ca$/.test(path);
            const values = new Map([
              ...examplesOf(route as Field[], 'route'),
              ...least,
              ...Object.entries(typed).map(([path, text]): [string, string] => [
                `carrier.${path}`,
                isFile(path) ? authority : text,
              ]),
              ...([
                ['name', 'acme'],
                ['route.channel', served],
                ['route.carriers', 'acme'],
              ] as const),
            ]);
            let fit: Values = values;
            let made = makeWith(type, fit, variables);
            // What the form does not let through is left out, with the group that it is in.
            for (let round = 0; round < 5 && made.faults.length > 0; round++) {
              const unfit = made.faults.flatMap(({ field }) => [
                field,
                field.slice(0, field.lastIndexOf('.')),
              ]);
              fit = new Map([...[...fit].filter(([name]) => !unfit.includes(name)), ...least]);
              made = makeWith(type, fit, variables);
            }
            const { proposal, faults } = made;
            assert.deepEqual(faults, []);
            const settings = provide(proposal.secrets, variables);
            const whole = writeWhole(proposal, HEADS);
            const sent = writeSent(proposal);
            const shape = (problems: readonly { key: string; fix: string }[]) =>
              problems.map(({ key, fix }) => [key, fix]);
            const { problems } = await checkProposal(sent, EMPTY, CARRIER_TYPES, KEY);
            assert.deepEqual(shape(problems), shape(findProblems(whole, settings)), `${whole}\n${sent}`);
            assert.equal(
              whole.split('\n').length,
              sent.split('\n').length,
              'a line of one is the same line of the other',
            );
          },
        ),
        { numRuns: 15 },
      );
    });
  }

  test('says of every secret where it will be, in a variable as well, so two that exclude each other are found', async () => {
    const values = new Map([
      ['name', 'acme'],
      ['carrier.url', 'https://gw.example/?to={{to}}&text={{text}}'],
      ['carrier.basic', 'on'],
      ['carrier.basic.user', 'me'],
      ['carrier.bearer', 'on'],
      ['route.channel', 'sms'],
      ['route.carriers', 'acme'],
    ]);
    for (const variables of [false, true]) {
      const { proposal, faults } = makeWith('http', values, variables);
      assert.deepEqual(faults, []);
      const found = findProblems(writeWhole(proposal, HEADS), provide(proposal.secrets, variables));
      const { problems } = await checkProposal(writeSent(proposal), EMPTY, CARRIER_TYPES, KEY);
      for (const each of [found, problems])
        assert.deepEqual(
          each.map(({ key }) => key),
          ['carriers.acme.basic, bearer'],
        );
    }
  });

  test('reads back as it was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), (text) => {
        const values = new Map([
          ...([
            ['name', 'acme'],
            ['carrier.url', 'https://h/'],
          ] as const),
          ['carrier.json', JSON.stringify({ [text]: text })] as const,
          ['route.channel', 'sms'] as const,
        ]);
        const { proposal } = makeWith('http', values, false);
        const written = parse(writeWhole(proposal, HEADS));
        assert.deepEqual(Object.entries(written.carriers.acme.json), [[text, text]]);
      }),
    );
  });

  test('goes under the lines that are there, and keeps the routes that are there without being named', () => {
    const values = new Map([
      ...([
        ['name', 'trial'],
        ['route.channel', 'sms'],
        ['route.carriers', 'trial'],
      ] as const),
    ]);
    const { proposal } = makeWith('simulator', values, false);
    assert.equal(
      writeWhole(proposal, HEADS),
      'carriers:\n  trial:\n    type: simulator\nroutes:\n  - channel: sms\n    carriers: [trial]\n  - channel: voice\n    carriers: [simulator]\n',
    );
    const under = writeWhole(proposal, headsFor({ hasCarriers: true, hasRoutes: true }, 1));
    const file = `carriers:\n  there: { type: simulator }\n${under.split('# Under the line “routes:”')[0]}`;
    assert.deepEqual(Object.keys(parse(file).carriers), ['there', 'trial']);
    assert.match(under, /after the first 1 of them/);
  });
});

suite('what may hold a secret', () => {
  test('is sent without any of it', () => {
    const token = fc.stringMatching(/^[a-zA-Z0-9+_.~!$%-]{6,40}$/);
    fc.assert(
      fc.property(
        token,
        fc.constantFrom(
          'Bearer §{{to}}',
          'https://gw.example/§/send?key=§&to={{to}}',
          'https://§:§@gw.example/',
        ),
        (secret, frame) => {
          const typed = frame.replaceAll('§', secret);
          const sent = String(redact(typed));
          for (let at = 0; at + 6 <= secret.length; at++) {
            const piece = secret.slice(at, at + 6);
            if (!'https://gw.example/x'.includes(piece))
              assert.ok(!sent.includes(piece), `${typed} as ${sent}`);
          }
          assert.equal(sent.includes('{{to}}'), typed.includes('{{to}}'));
        },
      ),
    );
    assert.deepEqual(redact({ key: 'hunter22', to: '{{to}}', n: 7 }), { key: 'x', to: '{{to}}', n: 0 });
    assert.equal(redact('http://127.0.0.1:8080/a/b?k=v'), 'http://127.0.0.1:8080/x/x?x=x');
  });

  test('stands in the text to put into the file, and not in the one that is checked', () => {
    const values = new Map([
      ...([
        ['name', 'acme'],
        ['carrier.url', 'https://gw.example/?key=hunter22'],
        ['carrier.headers', 'x-key: hunter23'],
      ] as const),
      ...([
        ['carrier.json', '{"to":"{{to}}","key":"hunter24"}'],
        ['route.channel', 'sms'],
        ['route.carriers', 'acme'],
      ] as const),
    ]);
    const { proposal, faults } = makeWith('http', values, false);
    assert.deepEqual(faults, []);
    assert.equal(writeWhole(proposal, HEADS).match(/hunter2[234]/g)?.length, 3);
    assert.doesNotMatch(writeSent(proposal), /hunter/);
  });

  test('is noticed in other fields', () => {
    for (const text of ['-----BEGIN PRIVATE KEY-----', 'Zk3vQ9xT4mZc8LwHd5Yf1J', 'https://me:hunter22@h/'])
      assert.ok(looksSecret(text), text);
    for (const text of [
      'smsc.carrier.example',
      '/run/secrets/acme-password',
      'Acme Incorporated',
      'messages.0.message-id',
    ])
      assert.ok(!looksSecret(text), text);
    const values = new Map([
      ...([
        ['name', 'acme'],
        ['carrier.host', 'Zk3vQ9xT4mZc8LwHd5Yf1J'],
        ['carrier.systemId', 'u'],
      ] as const),
      ...([
        ['carrier.source', 'Acme'],
        ['route.channel', 'sms'],
        ['route.carriers', 'acme'],
      ] as const),
    ]);
    const { faults } = makeWith('smpp', values, false);
    assert.deepEqual(
      faults.map(({ field }) => field),
      ['carrier.host'],
    );
  });
});
