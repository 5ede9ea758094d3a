import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../config/fixture.ts';
import { ConfigError } from '../config/problem.ts';
import type { Config } from '../config/table/schema.ts';
import { readConfiguration } from './configuration.ts';

const CLI = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
const COUNTERSIGN_CONFIG = join(folder, 'countersign.yaml');
after(() => rmSync(folder, { recursive: true }));

/** The configuration, or what is wrong with it. */
async function said(read: () => Config | Promise<Config>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const SMPP = 'type: smpp, host: 127.0.0.1, systemId: u, password: p, source: Acme';
const TWILIO = `type: twilio, accountSid: AC${'0'.repeat(32)}, authToken: ${'a'.repeat(32)}, sms: { from: "+15005550006" }`;
const REGISTERED =
  'messages: { registered: { IN: { entity: "1", texts: { en: { id: "2", sms: "{{code}}" } } } } }';

const WRITTEN = {
  'nothing is configured': '{}',
  'a type is named twice': `carriers: { a: { ${SMPP} }, b: { ${SMPP} } }\nroutes: [{ channel: sms, carriers: [a, b] }]`,
  'two types are named': `carriers: { a: { ${SMPP} }, b: { ${TWILIO} } }\nroutes: [{ channel: sms, carriers: [a, b] }]`,
  'a type is written with escapes': `carriers: { a: { ${SMPP.replace('smpp', '"sm\\u0070p"')} } }\nroutes: [{ channel: sms, carriers: [a] }]`,
  'a type is misspelt': `carriers: { a: { ${SMPP.replace('smpp', 'smppp')} } }`,
  'a carrier has no type': 'carriers: { a: { host: 127.0.0.1 } }',
  'a carrier is no group': 'carriers: { a: smpp }',
  'the carriers are no group': 'carriers: [smpp]',
  'an option of another type is set': `carriers: { a: { ${SMPP}, authToken: x } }`,
  'a fault is explained by what other types can': `${REGISTERED}\ncarriers: { a: { ${TWILIO} } }\nroutes: [{ channel: sms, countries: [IN], carriers: [a] }]`,
  'the file is not YAML': 'carriers: {',
  'a merge key is a value': 'port: !!merge <<',
};

for (const [what, yaml] of Object.entries(WRITTEN))
  test(`${what}: the configuration is what it is with all types loaded`, async () => {
    writeFileSync(COUNTERSIGN_CONFIG, yaml);
    const environment = { COUNTERSIGN_CONFIG };
    const expected = await said(() => loadConfig(environment));
    assert.deepEqual(await said(() => readConfiguration(undefined, environment)), expected);
  });

/** A pipe that holds a text for whoever reads it first. Whoever reads it again waits for ever. */
function pipeWith(t: TestContext, text: string): string {
  const pipe = join(mkdtempSync(join(folder, 'pipe-')), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writing = spawn('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', text, pipe], { stdio: 'ignore' });
  t.after(() => writing.kill());
  return pipe;
}

test('every file is read once: what is wrong in a pipe, or beside one, is said as of a file', async (t) => {
  const check = (environment: Record<string, string>) => {
    const env = { PATH: process.env.PATH, ...environment };
    const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'config', 'check'], {
      ...{ cwd: folder, env, encoding: 'utf8', timeout: 30_000 },
    });
    return stdout + stderr;
  };
  writeFileSync(COUNTERSIGN_CONFIG, WRITTEN['a type is misspelt']);
  const pipe = pipeWith(t, WRITTEN['a type is misspelt']);
  const misspelt = check({ COUNTERSIGN_CONFIG });
  assert.match(misspelt, /smppp/);
  assert.equal(check({ COUNTERSIGN_CONFIG: pipe }).replaceAll(pipe, COUNTERSIGN_CONFIG), misspelt);

  writeFileSync(COUNTERSIGN_CONFIG, WRITTEN['a type is named twice']);
  const wrong = { COUNTERSIGN_CONFIG, COUNTERSIGN_PORT: 'abc' };
  const beside = {
    ...wrong,
    COUNTERSIGN_CARRIERS_A_PASSWORD_FILE: pipeWith(t, 'secret'),
    COUNTERSIGN_PRICES_FILE: pipeWith(t, 'carrier,to,price\na,DE,0.1\n'),
  };
  assert.match(check(wrong), /port/);
  assert.equal(check(beside), check(wrong));
});

test('variables set options of the carriers that the file names, and no others', async () => {
  writeFileSync(
    COUNTERSIGN_CONFIG,
    `carriers: { a: { ${SMPP} } }\nroutes: [{ channel: sms, carriers: [a] }]`,
  );
  const environment = { COUNTERSIGN_CONFIG, COUNTERSIGN_CARRIERS_A_PASSWORD: 'other' };
  const { carriers } = await readConfiguration(undefined, environment);
  assert.partialDeepStrictEqual(carriers.a, { type: 'smpp', password: 'other' });
  const wrong = { COUNTERSIGN_CONFIG, COUNTERSIGN_CARRIERS_A_AUTH_TOKEN: 'x' };
  assert.deepEqual(
    await said(() => readConfiguration(undefined, wrong)),
    await said(() => loadConfig(wrong)),
  );
});
