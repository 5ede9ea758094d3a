/**
 * The door of a running service for commands on the same machine: a socket in the data folder, which only its user may open.
 * It knows two words. A signal could reach another process that has the id by now, and brings no answer.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { codeOf } from '../config/file.ts';
import { describeError } from '../core/errors/error-facts.ts';
import type { ReloadOutcome } from '../reload/outcome.ts';

const RELOAD = 'reload\n';
const ADDRESS = 'address\n';
/** Whoever opens the door and says nothing. */
const PATIENCE_MS = 5_000;
/** A reload waits a moment for links of carriers. */
const LONGEST_MS = 60_000;

/** Paths of sockets are short: 107 bytes on Linux. One that starts here may be shorter. */
function socketPath(dataDir: string): string {
  if (process.platform !== 'win32') return join(dataDir, 'serve.sock');
  const name = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\countersign-${name}`;
}

/** Where a running service listens, whatever its file says by now. */
interface ServiceAddress {
  readonly host: string;
  readonly port: number;
  /** Speaks TLS. */
  readonly secure: boolean;
}

interface ControlSocketPorts {
  readonly reload: () => Promise<ReloadOutcome>;
  readonly address: ServiceAddress;
  /** The service runs without a door, too. */
  readonly onFault: (error: unknown) => void;
}

export async function openControlSocket(
  dataDir: string,
  { reload, address, onFault }: ControlSocketPorts,
): Promise<AsyncDisposable> {
  const path = socketPath(dataDir);
  const answers = new Map<string, () => Promise<object>>([
    [RELOAD, reload],
    [ADDRESS, async () => address],
  ]);
  const server = createServer((socket) => serveOne(socket, answers));
  try {
    await mkdir(dataDir, { recursive: true });
    await listen(server, path).catch(async (error: unknown) => {
      // Left by a process that was killed. One that lives keeps its door.
      if (codeOf(error) !== 'EADDRINUSE' || (await isAnswered(path))) throw error;
      await unlink(path);
      await listen(server, path);
    });
    if (process.platform !== 'win32') await chmod(path, 0o600);
  } catch (error) {
    onFault(describeError(error));
  }
  server.unref();
  return {
    // Closing removes the socket's file.
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await new Promise((done) => server.close(done));
    },
  };
}

/**
 * The outcome as the service tells it; undefined if no service listens in the folder.
 *
 * @throws {ServiceGone} if it ends meanwhile, or does not answer
 */
export async function askForReload(dataDir: string): Promise<ReloadOutcome | undefined> {
  const socket = connect(socketPath(dataDir));
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  socket.setTimeout(LONGEST_MS, () => socket.destroy(new Error('the service does not answer')));
  try {
    socket.write(RELOAD);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    throw new ServiceGone({ cause: error });
  }
}

/** Whether it has read its configuration again, nobody knows. */
export class ServiceGone extends Error {
  constructor(options: ErrorOptions) {
    super('the service did not answer: it has ended, or hangs', options);
  }
}

async function listen(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(path);
  await listening;
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function serveOne(socket: Socket, answers: ReadonlyMap<string, () => Promise<object>>): void {
  let said = '';
  socket.setEncoding('utf8').setTimeout(PATIENCE_MS, () => socket.destroy());
  // Whoever asked may have gone.
  socket.on('error', () => {});
  socket.on('data', (text) => {
    said += text;
    const answer = answers.get(said);
    if (answer !== undefined) {
      socket.setTimeout(LONGEST_MS);
      void answer().then((answered) => socket.end(JSON.stringify(answered)));
    } else if (!answers.keys().some((word) => word.startsWith(said))) socket.destroy();
  });
}
