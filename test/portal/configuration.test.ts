/** The configuration in the portal: for whom, and what is told. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { askForReload } from '../../src/cli/control-socket.ts';
import type { Configuration, ConfigurationForms } from '../../src/portal/configuration/contract.ts';
import { problemOf } from '../acceptance/client.ts';
import { firstAccount, read, startPortal } from './rig.ts';

const SECRET = 'hunter22-that-nobody-may-see';

test('only owners of the first account learn where options come from', async (t) => {
  const { service, setUp, join } = await startPortal(t, {
    env: { COUNTERSIGN_CARRIERS_SMSC_PASSWORD: SECRET },
    config: `
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

  await t.test('where each option was set', async () => {
    const answer = await owner.get(path);
    const { operator, file, options } = read<Configuration>(answer);
    assert.ok(operator && file?.is_there && file.path.endsWith('/countersign.yaml'));
    assert.deepEqual(
      options.map(({ key, by, place }) => [key, by, place.replace(/^.*\//, '')]),
      [
        ['carriers.smsc.type', 'file', 'countersign.yaml:4'],
        ['carriers.smsc.host', 'file', 'countersign.yaml:5'],
        ['carriers.smsc.systemId', 'file', 'countersign.yaml:6'],
        ['carriers.smsc.source', 'file', 'countersign.yaml:7'],
        ['carriers.smsc.password', 'variable', 'COUNTERSIGN_CARRIERS_SMSC_PASSWORD'],
        ['routes[0].channel', 'file', 'countersign.yaml:9'],
        ['routes[0].carriers', 'file', 'countersign.yaml:10'],
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
    assert.match(options[0]?.place ?? '', /countersign\.yaml:5$/);
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
    const developer = await join(owner, 'developer', 'dana@example.com');
    assert.equal(problemOf(await developer.get(path)), 'forbidden');
  });
});
