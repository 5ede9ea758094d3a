/** The Kannel of this machine, set up as the recipe says, before an SMSC in place of the modem. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isListening } from '../free-port.ts';

const PROGRAMS = ['bearerbox', 'smsbox'] as const;
const FOLDER = '/usr/sbin';

export const hasKannel = PROGRAMS.every((program) => existsSync(join(FOLDER, program)));

const withSmsc = (smsc: number) => `group = smsc
smsc = smpp
smsc-id = test
host = 127.0.0.1
port = ${smsc}
transceiver-mode = true
smsc-username = u
smsc-password = p
system-type = ""
source-addr-autodetect = yes
`;

/** Answers the address at which it takes messages. `configuration` is the recipe's, `smsc` a port that speaks SMPP. */
export async function startKannel(
  configuration: string,
  smsc: number,
  parts: AsyncDisposableStack,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-kannel-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const [admin, boxes, messages] = [await freePort(), await freePort(), await freePort()];
  const file = join(folder, 'kannel.conf');
  const own = configuration
    .replace(/^group = smsc\n(.+\n)+/m, withSmsc(smsc))
    .replace('13000', String(admin))
    .replace('13013', String(messages))
    .replace('13001', String(boxes))
    .replace(/^group = smsbox$/m, `group = smsbox\nbearerbox-port = ${boxes}`);
  await writeFile(file, own);
  for (const [program, port] of [
    ['bearerbox', boxes],
    ['smsbox', messages],
  ] as const) {
    const started = spawn(join(FOLDER, program), [file], { cwd: folder, stdio: 'ignore' });
    parts.defer(() => end(started));
    while (!(await isListening(port))) {
      if (started.exitCode !== null) throw new Error(`${program} ended with ${started.exitCode}`);
      await sleep(50);
    }
  }
  return `http://127.0.0.1:${messages}`;
}

async function end(started: ChildProcess): Promise<void> {
  if (started.exitCode !== null || started.signalCode !== null) return;
  const ended = once(started, 'exit');
  started.kill('SIGKILL');
  await ended;
}
