/** The npm package, as a user installs it: packed here, installed elsewhere, without what a checkout has. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { heading, openWindow, startStage } from '../browser/rig/stage.ts';
import { installPackage } from '../installed.ts';
import { OWNER, PASSWORD } from '../portal/rig.ts';

const MOST_BYTES = 4 * 2 ** 20;

// Its Node is optional and by far the largest: these tests run on the same one. Of all else a run's `npm ci` left copies.
const { folder, installation, files, size } = installPackage('.', '--omit=optional', '--prefer-offline');
const stage = await startStage({ installation });

test('the package is small, and holds neither TypeScript nor tests', () => {
  assert.ok(size < MOST_BYTES, `${size} bytes`);
  // Of pictures it has those of the guides.
  const unwanted =
    /\.tsx?$|\.png$|(?<!^docs\/portal\/[a-z-]+)\.webp$|\.test\.|fixture|^(test|bench|src|portal|deploy\/secrets|node_modules)(\/|$)/;
  assert.deepEqual(
    files.filter((file) => unwanted.test(file)),
    [],
  );
  for (const name of [
    ...['dist/src/cli.js', 'dist/src/cli.js.map', 'README.md', 'LICENSE', 'docs/api.md'],
    ...['docs/portal/overview.webp', 'dist/src/http/reference/browser/script.js'],
  ])
    assert.ok(files.includes(name), name);
});

test('nothing runs when it is installed', () => {
  const { scripts } = JSON.parse(readFileSync(join(installation, 'package.json'), 'utf8'));
  for (const name of ['preinstall', 'install', 'postinstall']) assert.ok(!(name in scripts), name);
});

test('an installed service sends a code and confirms it, and makes a backup', async () => {
  const { service } = stage.portal;
  assert.match(service.logs(), /npx countersign keys create/);
  const key = await service.createKey('shop', { test: true });
  const { id, code } = await service.client.issue('+14155550123', 'sms', { key });
  assert.equal((await service.client.confirm(id, code, { key })).status, 200);
  const backup = join(folder, 'backup.db');
  await service.command('backup', '--to', backup);
  assert.ok(statSync(backup).size > 0);
});

test('an installed service shows its portal', async (t) => {
  const page = await openWindow(t, stage);
  await page.goto(stage.address(`/setup#${stage.portal.setupToken()}`));
  await heading(page, 'Set up');
  await page.locator('input[name=name]').fill('Olive Owner');
  await page.locator('input[name=email]').fill(OWNER);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Become the owner' }).click();
  await heading(page, 'Overview');
});

test('an installed service shows its documentation, with its style and its pictures', async (t) => {
  const page = await openWindow(t, stage);
  await page.goto(new URL('/docs/guides/portal', stage.address('/')).href);
  await heading(page, 'The web portal');
  const background = await page.evaluate('getComputedStyle(document.querySelector(".side")).backgroundColor');
  assert.equal(background, 'rgb(247, 248, 250)');
  const picture = `Object.assign(document.images[1], { loading: 'eager' })`;
  assert.equal(await page.evaluate(`${picture}.decode().then(() => document.images[1].naturalWidth)`), 1440);
});
