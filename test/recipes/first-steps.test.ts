/** The commands of README and of the first start, as people paste them: from any folder, into any shell. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually } from '../acceptance/client.ts';
import { readProjectFile } from '../deploy/project.ts';
import { startService } from '../service.ts';

/** What zsh is started with: nobody's own settings. */
const SHELLS: Readonly<Record<string, readonly string[]>> = { sh: [], bash: ['--norc'], zsh: ['-f'] };

// No shell takes this path for one word unless it is quoted.
const folder = mkdtempSync(join(realpathSync(tmpdir()), "it's a $HOME "));
after(() => rmSync(folder, { recursive: true, force: true }));
const service = await startService({ dataDir: join(folder, 'data'), withoutKeys: true });
after(() => service[Symbol.asyncDispose]());
const greeting = await eventually(async () => /\nA test key[\s\S]*\n3\. .*\n.*\n/.exec(service.logs())?.[0]);
const [key = ''] = /csk_test_\w{36}/.exec(greeting ?? '') ?? [];

/** Why a shell cannot be tried here, or false. */
function missing(shell: string): string | false {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return false;
  } catch {
    return `NOT RUN: ${shell} is not installed on this machine`;
  }
}

/** What the last of the commands printed. */
async function paste(shell: string, commands: readonly string[], cwd: string): Promise<string> {
  const running = promisify(execFile)(shell, SHELLS[shell], { cwd, env: { PATH: process.env.PATH } });
  running.child.stdin?.end(`${commands.join('\n')}\n`);
  const { stdout } = await running;
  assert.match(stdout, /\n$/, 'what comes next is on a line of its own');
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

/** Pastes the three steps, the third with what the second answered. */
async function verify(shell: string, before: readonly string[], steps: readonly string[], cwd: string) {
  const [ask = '', look = '', confirm = ''] = steps;
  const sent: { id: string } = JSON.parse(await paste(shell, [...before, ask], cwd));
  const message = await eventually(async () => {
    const messages: { id: string; code: string }[] = JSON.parse(await paste(shell, [...before, look], cwd));
    return messages.find(({ id }) => id === sent.id);
  });
  const own = confirm.replace('ver_...', sent.id).replace(/("code": ?")[^"]*/, `$1${message?.code}`);
  assert.match(await paste(shell, [...before, own], cwd), /"confirmed_at"/);
}

for (const shell of Object.keys(SHELLS)) {
  test(`the first start’s commands run in ${shell}, wherever it is`, { skip: missing(shell) }, async () => {
    const steps = Array.from(greeting?.matchAll(/^ {3}(curl .*)$/gm) ?? [], ([, command = '']) => command);
    assert.equal(steps.length, 3);
    await verify(shell, [], steps, '/');
  });

  test(`README’s commands run in ${shell}, in the folder of the service`, {
    skip: missing(shell),
  }, async () => {
    const [, section = ''] =
      /\n## A first verification\n([\s\S]*?)\n## /.exec(readProjectFile('README.md')) ?? [];
    const blocks = Array.from(section.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm), ([, , text = '']) =>
      text.replace('csk_test_...', key).replaceAll(':8443', `:${service.port}`).trim(),
    );
    assert.equal(blocks.length, 4);
    await verify(shell, blocks.slice(0, 1), blocks.slice(1), folder);
  });
}
