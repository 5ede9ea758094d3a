/** The real service as a child process: its own folder, free ports, a trusted certificate, and nothing left behind. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mintKey } from '../src/core/accounts/api-key-format.ts';
import { SYSTEM_RANDOM } from '../src/core/seams/random.ts';
import { ensureSelfSigned } from '../src/http/connection/tls.ts';
import { type Client, createClient } from './acceptance/client.ts';
import { freePort, isListening } from './free-port.ts';
import type { KeyOptions } from './make-key.ts';
import { isRunning } from './started.ts';

const INSTALLATION = fileURLToPath(new URL('../', import.meta.url));
/** A folder with a certificate like the service's own, if the run has made one for all files. */
const { COUNTERSIGN_TEST_CERTIFICATE: madeBefore } = process.env;
/** A start that fails ends by itself; of one that goes on, a machine that tests share may make many times what it takes alone. */
const START_DEADLINE_MS = 120_000;
const STOP_DEADLINE_MS = 40_000;

export interface ServiceOptions {
  /** The content of `countersign.yaml`: its text, or its value. */
  readonly config?: string | object;
  readonly env?: Readonly<Record<string, string>>;
  /** The caller's folder. It is not removed. */
  readonly dataDir?: string;
  /** Runs the service under another program, which gets the command line to run: `['strace', '-f', ...]`. */
  readonly wrap?: readonly string[];
  /** The certificate to trust if it is not the one that the service makes. */
  readonly ca?: string;
  /** Where the program is, if it is not this project. */
  readonly installation?: string;
  /** Makes no key. */
  readonly withoutKeys?: boolean;
  /** The service makes its certificate itself; without keys, this is the first start as a new user sees it. */
  readonly withoutCertificate?: boolean;
  /** The key that a new store makes, for nodes that share one. */
  readonly presetKey?: string;
  /** The store has keys already: makes another. */
  readonly hasKeys?: boolean;
  /** Runs `test/quick-service.ts` in place of the program. */
  readonly quick?: boolean;
  /** The configuration says that a proxy terminates TLS: the port speaks plain HTTP. */
  readonly proxied?: boolean;
}

export interface Service extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  /** The certificate to trust, PEM. */
  readonly ca: string;
  readonly dataDir: string;
  readonly key: string;
  /** Speaks with `key`. */
  readonly client: Client;
  readonly pid: number;
  /** Everything written to standard output and standard error, across all restarts. */
  logs(): string;
  /** Runs a subcommand of the command line, in the test's own process, on the same data and configuration; resolves with its standard output. */
  command(...args: string[]): Promise<string>;
  /** What the command line does to create a key, without a process of its own. */
  createKey(name: string, options?: KeyOptions): Promise<string>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  kill9(): Promise<void>;
  /** Starts again on the same port and data. Ends the running process first, if there is one. */
  restart(): Promise<void>;
}

/** Starts a service and waits until it is ready. Dispose of it, or a failing test leaves a process behind. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-test-'));
  const dataDir = options.dataDir ?? join(folder, 'data');
  const configFile = join(folder, 'countersign.yaml');
  const port = await freePort();
  const cli = join(options.installation ?? INSTALLATION, 'bin/countersign.js');
  const program = options.quick ? join(INSTALLATION, 'test/quick-service.ts') : cli;
  const baseUrl = `${options.proxied ? 'http' : 'https'}://localhost:${port}`;
  const { config = {} } = options;
  // JSON is YAML.
  await writeFile(configFile, typeof config === 'string' ? config : JSON.stringify(config));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    COUNTERSIGN_PORT: String(port),
    COUNTERSIGN_DATA_DIR: dataDir,
    COUNTERSIGN_CONFIG: configFile,
    // Tests ask for codes to made-up numbers and hardly ever confirm one, which is what the guard is there to refuse.
    COUNTERSIGN_GUARD_MODE: 'off',
    ...options.env,
  };

  let output = '';
  let child: ChildProcess | undefined;
  let client: Client | undefined;

  // The last resort if the runner ends this process early. Normally disposal does this.
  const sweep = () => {
    if (child !== undefined && isRunning(child)) signal(child, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  const end = () => process.exit(1);
  process.once('exit', sweep).once('SIGTERM', end).once('SIGINT', end);
  // A killed runner leaves us a broken pipe. Without a listener the process would die without the exit event.
  process.stdout.once('error', end);

  async function command(...args: string[]): Promise<string> {
    if (options.installation !== undefined) {
      const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args], { cwd: folder, env });
      return stdout;
    }
    // Most tests need no command, nor the code of all of them.
    const { runInPlace } = await import('./run-in-place.ts');
    const { status, stdout, stderr } = await runInPlace(args, { folder, env });
    if (status === 0) return stdout;
    throw Object.assign(new Error(`${args.join(' ')} ended with ${status}: ${stderr}`), {
      code: status,
      stdout,
      stderr,
    });
  }
  async function createKey(name: string, { account = 'default', test = false }: KeyOptions = {}) {
    if (options.installation === undefined) {
      // Most tests need no second key, nor the code that makes one.
      const { makeKey } = await import('./make-key.ts');
      return makeKey(env, name, { account, test });
    }
    const args = ['--name', name, '--account', account, ...(test ? ['--test'] : []), '--init'];
    return (await command('keys', 'create', ...args)).trim();
  }

  // A new store makes the key that it is given, which costs a test no process. One that has keys needs another.
  const isNew = !options.hasKeys && options.dataDir === undefined && options.installation === undefined;
  const minted = isNew && !options.withoutKeys ? mintKey(SYSTEM_RANDOM, false).key : undefined;
  const { presetKey: preset = minted } = options;

  function run(): ChildProcess {
    const [first, ...args] = [...(options.wrap ?? []), process.execPath, program, 'serve'];
    // Its own process group, so that a wrapping program dies with it.
    const started = spawn(first ?? '', args, {
      cwd: folder,
      env: { ...env, ...(preset !== undefined && { COUNTERSIGN_BOOTSTRAP_KEY: preset }) },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    started.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    return started;
  }

  async function untilReady(started: ChildProcess): Promise<string> {
    const deadline = Date.now() + START_DEADLINE_MS;
    for (;;) {
      if (!isRunning(started)) throw new Error(`ended early:\n${output.slice(-2_000)}`);
      if (Date.now() > deadline) throw new Error(`not ready:\n${output.slice(-2_000)}`);
      // For most of a start nobody listens, which a connection finds out sooner than a request.
      if (await isListening(port)) {
        const ca = options.ca ?? (options.proxied ? '' : await certificate(dataDir));
        if (ca !== undefined && (await isReady(baseUrl, ca))) return ca;
      }
      await sleep(20);
    }
  }

  async function end9(): Promise<void> {
    if (child !== undefined && isRunning(child)) {
      signal(child, 'SIGKILL');
      await once(child, 'close');
    }
  }

  async function dispose(): Promise<void> {
    client?.close();
    await end9();
    process.off('exit', sweep).off('SIGTERM', end).off('SIGINT', end);
    process.stdout.off('error', end);
    sweep();
  }

  try {
    const hasOwn = options.withoutCertificate || options.dataDir !== undefined || options.proxied;
    if (!hasOwn && madeBefore !== undefined) await cp(madeBefore, dataDir, { recursive: true });
    const key = options.withoutKeys ? '' : (preset ?? (await createKey('live')));
    child = run();
    const ca = await untilReady(child);
    client = createClient({ baseUrl, ca, key });
    return {
      baseUrl,
      port,
      ca,
      dataDir,
      key,
      client,
      get pid() {
        return child?.pid ?? 0;
      },
      logs: () => output,
      command,
      createKey,
      async stop() {
        if (child === undefined || !isRunning(child)) return child?.exitCode ?? null;
        const exit = once(child, 'close', { signal: AbortSignal.timeout(STOP_DEADLINE_MS) });
        child.kill('SIGTERM');
        const [code] = await exit;
        return code;
      },
      kill9: end9,
      async restart() {
        await end9();
        // What it kept led to the process before, and may not have noticed its end.
        client?.close();
        child = run();
        await untilReady(child);
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // It has just ended.
  }
}

/** Puts a certificate like the service's own into a folder that has none. */
export async function provideCertificate(dataDir: string): Promise<void> {
  if (madeBefore === undefined) await ensureSelfSigned(dataDir);
  else await cp(madeBefore, dataDir, { recursive: true });
}

/** The self-signed certificate that the service writes on its first start. */
async function certificate(dataDir: string): Promise<string | undefined> {
  for (const file of await readdir(dataDir, { recursive: true }).catch(() => [])) {
    if (!/\.(pem|crt|cert)$/.test(file)) continue;
    const text = await readFile(join(dataDir, file), 'utf8').catch(() => '');
    if (text.includes('BEGIN CERTIFICATE') && text.includes('END CERTIFICATE')) return text;
  }
  return undefined;
}

async function isReady(baseUrl: string, ca: string): Promise<boolean> {
  const client = createClient({ baseUrl, ca, key: '' });
  try {
    return (
      (await client.get('/readyz', { key: null, headers: { 'x-forwarded-proto': 'https' } })).status === 200
    );
  } catch {
    return false;
  } finally {
    client.close();
  }
}
