/** What the form writes is what the service takes, for every type of carrier. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { identifierWords } from '../../portal/src/format/identifier.ts';
import { countriesOf } from '../../portal/src/pages/carriers/compose/asked.ts';
import type { Typed } from '../../portal/src/pages/carriers/compose/entry.ts';
import { headsFor, makeProposal, writeLines } from '../../portal/src/pages/carriers/compose/proposal.ts';
import { CARRIER_TYPES } from '../../src/carriers/all-types.ts';
import { findProblems } from '../../src/config/fixture.ts';
import { anyText } from '../../src/core/text/any-text-fixture.ts';
import { describeForms, type OptionField } from '../../src/proposal/form.ts';

const { privateKey: KEY } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const SERVICE_ACCOUNT = JSON.stringify({ client_email: 'us@project.example', private_key: KEY });
const FORMS = describeForms(CARRIER_TYPES) as never;
const { carriers, route } = describeForms(CARRIER_TYPES);
const folder = mkdtempSync(join(tmpdir(), 'countersign-compose-'));
after(() => rmSync(folder, { recursive: true }));
const authority = join(folder, 'ca.pem');
writeFileSync(authority, 'a certificate');

type Values = ReadonlyMap<string, string>;
const typedOf = (values: Values): Typed => ({
  text: (name) => values.get(name) ?? '',
  all: (name) => (values.has(name) ? (values.get(name) ?? '').split(' ') : []),
  rows: (name) => (values.get(name) ?? '').split('\n').filter((row) => row !== ''),
});

/** What people would type there. */
const LIKELY = ['Acme', '+12025550123', 'http://127.0.0.1:8088', 'https://api.example.com', 'eu-central-1'];

function fittingText({ pattern, path }: OptionField): fc.Arbitrary<string> {
  if (/(^|\.)ca$/.test(path)) return fc.constant(authority);
  if (pattern === null) return fc.constantFrom('some.example', 'name');
  const likely = LIKELY.filter((text) => new RegExp(pattern).test(text));
  if (likely.length > 0) return fc.constantFrom(...likely);
  return fc.stringMatching(new RegExp(pattern)).filter((text) => text.trim() === text && text !== '');
}

/** Only what has to be said, and the first channel. */
function leastOf(fields: readonly OptionField[], part: string, on: readonly string[]): fc.Arbitrary<Values> {
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

function examplesOf(fields: readonly OptionField[], part: string): Values {
  return new Map(
    fields.flatMap(({ path, example, kind, choices, fallback }) => {
      const value =
        example ??
        (kind === 'choice' ? (fallback === null ? choices[0] : String(JSON.parse(fallback))) : undefined) ??
        (kind === 'choices' ? (JSON.parse(fallback ?? '[]') as string[]).join(' ') : undefined) ??
        (kind === 'flag' && fallback === 'true' ? 'on' : undefined);
      return value === undefined || (choices.length === 0 && value === '')
        ? []
        : [[`${part}.${path}`, value]];
    }),
  );
}

const channelsOf = (fields: readonly OptionField[]) =>
  ['sms', 'voice'].filter((name) => fields.some(({ path }) => path === name));

const makeWith = (type: string | undefined, values: Values, variables: boolean) =>
  makeProposal({
    forms: FORMS,
    carrier: carriers.find((each) => each.type === type) as never,
    withRoute: true,
    typed: typedOf(values),
    secretsAt: variables ? { in: 'variables' } : { in: 'files', folder },
    hasRoutes: false,
    isTaken: (name) => name === 'taken',
  });

/** Makes the files, or says the variables, that a proposal needs. */
function provide(
  secrets: readonly { readonly option: string; readonly place: string }[],
  variables: boolean,
) {
  const settings: Record<string, string> = {};
  for (const { option, place } of secrets) {
    const value = /privateKey$/.test(option)
      ? KEY
      : /serviceAccount$/.test(option)
        ? SERVICE_ACCOUNT
        : 'x'.repeat(16);
    if (variables) settings[place.replace(/^COUNTERSIGN_/, '')] = value;
    else {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, value, { mode: 0o600 });
    }
  }
  return settings;
}

const HEADS = headsFor({ hasCarriers: false, hasRoutes: false });

/** Of types that serve one channel, which none of their options names. */
const ONLY: Readonly<Record<string, string>> = {
  ...{ asterisk: 'voice', meta: 'whatsapp' },
  ...{ telegram: 'telegram', google: 'rcs' },
};

/** Words with a capital in the middle that people know. */
const KNOWN = /WhatsApp|TLVs/;

test('options and their choices are called by words, not by identifiers', () => {
  for (const { path, choices } of [...carriers.flatMap(({ fields }) => fields), ...route]) {
    for (const identifier of [path.slice(path.lastIndexOf('.') + 1), ...choices]) {
      assert.doesNotMatch(identifierWords(identifier).replace(KNOWN, ''), /[a-z][A-Z]|_|^[a-z]/, path);
    }
  }
});

suite('what the form writes', () => {
  for (const { type, fields } of carriers) {
    const channels = channelsOf(fields);
    const served = channels[0] ?? ONLY[type] ?? 'sms';

    test(`for ${type} is taken when its secrets are there`, () => {
      fc.assert(
        fc.property(leastOf(fields, 'carrier', channels.slice(0, 1)), fc.boolean(), (least, variables) => {
          const values = new Map([
            ...examplesOf(fields, 'carrier'),
            ...examplesOf(route as OptionField[], 'route'),
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
          const whole = writeLines(proposal, HEADS);
          assert.deepEqual(findProblems(whole, settings), [], whole);
        }),
        { numRuns: 6 },
      );
    });
  }

  test('says of every secret where it will be, in a variable as well, so two that exclude each other are found', () => {
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
      const found = findProblems(writeLines(proposal, HEADS), provide(proposal.secrets, variables));
      assert.deepEqual(
        found.map(({ key }) => key),
        ['carriers.acme.bearer'],
      );
    }
  });

  test('reads back as it was typed', () => {
    fc.assert(
      fc.property(anyText({ minLength: 1, maxLength: 30 }), (text) => {
        const values = new Map([
          ...([
            ['name', 'acme'],
            ['carrier.url', 'https://h/'],
          ] as const),
          ['carrier.json', JSON.stringify({ [text]: text })] as const,
          ['route.channel', 'sms'] as const,
        ]);
        const { proposal } = makeWith('http', values, false);
        const written = parse(writeLines(proposal, HEADS));
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
      writeLines(proposal, HEADS),
      'carriers:\n  trial:\n    type: simulator\nroutes:\n  - channel: sms\n    carriers: [trial]\n  - channel: voice\n    carriers: [simulator]\n',
    );
    const under = writeLines(proposal, headsFor({ hasCarriers: true, hasRoutes: true }));
    const file = `carriers:\n  there: { type: simulator }\n${under.split('# Under the line “routes:”')[0]}`;
    assert.deepEqual(Object.keys(parse(file).carriers), ['there', 'trial']);
    assert.match(under, /above every route that would take its messages/);
  });

  test('is nothing if the name of the carrier is no name, or is taken', () => {
    for (const [name, detail] of [
      ['Acme', 'must be small letters, digits and hyphens'],
      ['', 'must be small letters, digits and hyphens'],
      ['taken', 'is the name of a carrier that is there already'],
    ] as const) {
      const { faults } = makeWith(
        'simulator',
        new Map([
          ['name', name],
          ['route.channel', 'sms'],
          ['route.carriers', 'x'],
        ]),
        false,
      );
      assert.deepEqual(faults, [{ field: 'name', detail }]);
    }
  });
});

test('the rules of countries are told for routes for SMS and for senders of their own', () => {
  const carrier = [
    { name: 'type', value: 'twilio' },
    { name: 'sms', entries: [{ name: 'senders', value: { HK: '#Acme', default: 'Acme' } }] },
  ];
  const route = (channel: string, countries: readonly string[]) => [
    { name: 'channel', value: channel },
    { name: 'countries', value: countries },
  ];
  const routes = [route('sms', ['FR', 'AU']), route('voice', ['DE'])];
  assert.deepEqual(countriesOf({ carrier, routes }), ['AU', 'FR', 'HK', 'default']);
  assert.deepEqual(countriesOf({ carrier: [], routes: [] }), []);
});
