/** The configuration in the portal: for whom, what is told, and that nothing of a proposal is kept. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { askForReload } from '../../src/cli/desk.ts';
import type { Checked, Configuration, ConfigurationForms } from '../../src/portal/configuration/contract.ts';
import { problemOf } from '../acceptance/client.ts';
import { assertNothingOnDisk, Evidence } from '../faults/evidence.ts';
import { firstAccount, logOf, read, startPortal } from './rig.ts';

const SECRET = 'hunter22-that-nobody-may-see';

test('only owners of the first account learn where options come from, and have proposals checked', async (t) => {
  const { service, setUp, join } = await startPortal(t, {
    env: { COUNTERSIGN_CARRIERS_SMSC_PASSWORD: SECRET },
    config: `
log: { level: trace }
carriers:
  smsc:
    type: smpp
    host: 127.0.0.1
    systemId: u
    source: Acme
routes:
  - channel: sms
    carriers: [smsc]
`,
  });
  const owner = await setUp();
  const { id } = await firstAccount(owner);
  const path = `/portal/api/accounts/${id}/configuration`;
  const other = read<{ id: string }>(await owner.post('/portal/api/accounts', { name: 'other' })).id;
  const elsewhere = `/portal/api/accounts/${other}/configuration`;
  const check = async (yaml: string) => read<Checked>(await owner.post(`${path}/check`, { yaml }));

  await t.test('where each option was set', async () => {
    const answer = await owner.get(path);
    const { operator, file, options } = read<Configuration>(answer);
    assert.ok(operator && file?.is_there && file.path.endsWith('/countersign.yaml'));
    assert.deepEqual(
      options.map(({ key, by, place }) => [key, by, place.replace(/^.*\//, '')]),
      [
        ['carriers.smsc.type', 'file', 'countersign.yaml:5'],
        ['carriers.smsc.host', 'file', 'countersign.yaml:6'],
        ['carriers.smsc.systemId', 'file', 'countersign.yaml:7'],
        ['carriers.smsc.source', 'file', 'countersign.yaml:8'],
        ['carriers.smsc.password', 'variable', 'COUNTERSIGN_CARRIERS_SMSC_PASSWORD'],
        ['routes[0].channel', 'file', 'countersign.yaml:10'],
        ['routes[0].carriers', 'file', 'countersign.yaml:11'],
      ],
    );
    assert.doesNotMatch(answer.text, new RegExp(SECRET));
  });

  await t.test('where an option is after its line has moved, which changes nothing else', async () => {
    const { file } = read<Configuration>(await owner.get(path));
    assert.ok(file);
    const text = await readFile(file.path, 'utf8');
    await writeFile(file.path, `# A remark.\n${text}`);
    const outcome = await askForReload(service.dataDir);
    assert.deepEqual([outcome?.ok, outcome?.changed], [true, []]);
    const { options } = read<Configuration>(await owner.get(path));
    assert.match(options[0]?.place ?? '', /countersign\.yaml:6$/);
  });

  await t.test('the form has every type and its options', async () => {
    const { carriers, route } = read<ConfigurationForms>(await owner.get(`${path}/forms`));
    const smpp = carriers.find(({ type }) => type === 'smpp');
    const password = smpp?.fields.find((field) => field.path === 'password');
    assert.deepEqual(
      [password?.kind, password?.required, password?.variable],
      ['secret', true, 'COUNTERSIGN_CARRIERS_NAME_PASSWORD'],
    );
    assert.ok(route.some((field) => field.path === 'countries'));
  });

  await t.test('an owner of another account learns nothing, and members of this one too', async () => {
    const nothing = read<Configuration>(await owner.get(elsewhere));
    assert.deepEqual(nothing, { operator: false, file: null, options: [] });
    const refused = await owner.post(`${elsewhere}/check`, { yaml: 'routes: []' });
    assert.equal(problemOf(refused), 'forbidden');
    const developer = await join(owner, 'developer', 'dana@example.com');
    for (const asked of [developer.get(path), developer.post(`${path}/check`, { yaml: 'routes: []' })]) {
      assert.equal(problemOf(await asked), 'forbidden');
    }
  });

  await t.test('a proposal is judged beside what is in effect, and changes nothing', async () => {
    const evidence = new Evidence([SECRET]);
    const { problems, routes_before } = await check(
      `carriers: { smsc: { type: simulator }, acme: { type: smpp, password: ${SECRET} } }`,
    );
    assert.deepEqual(
      problems.map(({ key }) => key),
      ['carriers.acme.host', 'carriers.acme.systemId', 'carriers.acme.password', 'carriers.smsc'],
    );
    assert.equal(routes_before, 1);
    const fine = await check('routes: [{ channel: sms, countries: [DE], carriers: [smsc] }]');
    assert.deepEqual([fine.problems, fine.routes_before], [[], 0]);
    const { carriers } = read<{ carriers: { name: string }[] }>(
      await owner.get(`/portal/api/accounts/${id}/routing`),
    );
    assert.deepEqual(carriers.map(({ name }) => name).sort(), ['simulator', 'smsc']);
    assert.doesNotMatch(await logOf(service), new RegExp(SECRET));
    await assertNothingOnDisk(evidence, service, 'after a check');
  });

  await t.test('there is a bound to how much and how often', async () => {
    assert.equal((await owner.post(`${path}/check`, { yaml: 'x'.repeat(6_001) })).status, 400);
    assert.equal((await owner.post(`${path}/check`, { yaml: '' })).status, 400);
    let answer = await owner.post(`${path}/check`, { yaml: 'routes: []' });
    for (let i = 0; i < 40 && answer.status === 200; i++) {
      answer = await owner.post(`${path}/check`, { yaml: 'routes: []' });
    }
    assert.equal(problemOf(answer), 'asked-too-often');
    assert.ok(Number(answer.headers['retry-after']) > 0);
  });
});
