import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Type, { type TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { parse } from 'yaml';
import { CARRIER_TYPES } from '../../carriers/all-types.ts';
import { listVariables } from '../environment.ts';
import { annotationsOf } from '../expectation.ts';
import { createEditorSchema } from './editor-schema.ts';
import { lookupOptions } from './lookup-options.ts';
import { createReference } from './reference.ts';
import { createConfigSchema } from './schema.ts';

const TYPE_NAMES = CARRIER_TYPES.map(({ options }) => options.properties.type.const);
const configSchema = createConfigSchema(CARRIER_TYPES);

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('docs/configuration.md matches the table: update it with `countersign config docs`', () => {
  assert.equal(read('docs/configuration.md'), createReference(CARRIER_TYPES));
});

test('countersign.schema.json matches the table: update it with `countersign config schema`', () => {
  assert.deepEqual(
    JSON.parse(read('countersign.schema.json')),
    JSON.parse(JSON.stringify(createEditorSchema(CARRIER_TYPES))),
  );
});

test('every option is described', () => {
  const undescribed = (schema: TSchema, path: string): string[] => {
    const { description = '' } = annotationsOf(schema);
    const own = description.length > 0 ? [] : [path];
    if (Type.IsObject(schema)) {
      return Object.entries(schema.properties).flatMap(([name, option]) =>
        undescribed(option, `${path}.${name}`),
      );
    }
    if (Type.IsUnion(schema)) {
      const variants = schema.anyOf.filter((variant) => Type.IsObject(variant));
      return variants.flatMap((variant) => undescribed(variant, path));
    }
    if (!Type.IsRecord(schema)) return own;
    return [...own, ...Object.values(schema.patternProperties).flatMap((of) => undescribed(of, `${path}.*`))];
  };
  assert.deepEqual(undescribed(configSchema, ''), []);
});

test('no two options share a variable', () => {
  for (const type of TYPE_NAMES) {
    const names = listVariables(configSchema, { carriers: { a: { type } } }).map(({ name }) => name);
    assert.ok(names.length > 30);
    assert.equal(new Set(names).size, names.length);
  }
});

test('every variable in the reference sets something', () => {
  const documented: readonly string[] =
    createReference(CARRIER_TYPES).match(/(?<=\| `)COUNTERSIGN_\w+(?=` \|)/g) ?? [];
  const proofs = ['secret', 'hmac', 'address'].map((type) => ({
    name: { type: 'http', receipts: { proof: { type } } },
  }));
  const carriers = [...TYPE_NAMES.map((type) => ({ name: { type } })), ...proofs];
  const registered = { name: { texts: { name: {} }, named: { name: { name: {} } } } };
  const others = {
    messages: { templates: { name: {} }, named: { name: { name: {} } }, registered },
    portal: { oidc: { name: {} } },
    hooks: { name: {} },
    accounts: { name: {} },
  };
  const { anyOf: lookups } = lookupOptions;
  const known = [
    ...carriers.flatMap((raw) => listVariables(configSchema, { ...others, carriers: raw })),
    ...lookups.flatMap(({ properties }) =>
      listVariables(configSchema, { lookups: { name: { type: properties.type.const } } }),
    ),
  ];
  const names = new Set(known.map(({ name }) => name));
  assert.ok(documented.includes('COUNTERSIGN_CARRIERS_NAME_TLS_CA'));
  assert.deepEqual(
    documented.filter((name) => !names.has(name)),
    [],
  );
});

test("the editors' schema accepts what the service accepts, and refuses a misspelt option", () => {
  const schema = createEditorSchema(CARRIER_TYPES);
  const sound = parse(`
    secretFile: ./secret
    code: { length: 6 }
    limits: { requestsPerKey: [] }
    carriers:
      smsc: { type: smpp, host: h, systemId: u, passwordFile: p, source: Acme, tls: {} }
      gateway: { type: http, url: "http://h/", json: { a: 1 }, rate: 5/1s }
      calls: { type: asterisk, url: "http://h:8088", user: u, passwordFile: p, trunk: carrier, speech: { folder: /s } }
    routes: [{ channel: sms, carriers: [smsc, gateway] }]
    portal: { oidc: { sso: { issuer: "https://sso.example.com", clientId: a, clientSecretFile: p } } }
    hooks: { auth: { system: supabase, keyFile: p, secretFile: p }, mfa: { system: kratos, key: k } }
  `);
  assert.deepEqual(Errors(schema, sound)[1], []);
  assert.ok(Check(schema, {}));
  assert.ok(!Check(schema, { prot: 1 }));
  assert.ok(!Check(schema, { code: { length: 3 } }));
  assert.ok(!Check(schema, { carriers: { a: { type: 'smtp' } } }));
});
