/**
 * Commands of the command line without a process for each, which would spend most of its time on its start. While one runs, this
 * process has its folder, environment and streams; another waits for its end.
 */
import { Readable, Writable } from 'node:stream';
import { format } from 'node:util';
import { runCommand } from '../src/cli/run.ts';

export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Place {
  readonly folder: string;
  /** All of it: nothing is inherited. */
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

let before: Promise<unknown> = Promise.resolve();

export function runInPlace(args: readonly string[], place: Place): Promise<Run> {
  const run = before.then(() => runAlone(args, place));
  before = run.catch(() => {});
  return run;
}

async function runAlone(args: readonly string[], { folder, env, input = '' }: Place): Promise<Run> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const { env: ownEnv, exitCode: ownCode } = process;
  const ownFolder = process.cwd();
  const own = (['stdin', 'stdout', 'stderr'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  );
  const { log, error } = console;
  try {
    for (const [name, value] of Object.entries({ stdin: Readable.from([input]), stdout, stderr }))
      Object.defineProperty(process, name, { value, configurable: true });
    // The console keeps the streams that it found first.
    console.log = (...said) => void stdout.write(`${format(...said)}\n`);
    console.error = (...said) => void stderr.write(`${format(...said)}\n`);
    process.env = env;
    process.exitCode = undefined;
    process.chdir(folder);
    await runCommand(args);
    return { status: Number(process.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(ownFolder);
    process.exitCode = ownCode;
    process.env = ownEnv;
    Object.assign(console, { log, error });
    for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(process, name, descriptor);
  }
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}
