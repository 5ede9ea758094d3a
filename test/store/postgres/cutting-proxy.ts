/**
 * Stands before a PostgreSQL and breaks connections where it hurts most: when the server has done what it was asked, and
 * nothing of its answer has reached us. It reads just enough of the protocol (PostgreSQL documentation, 55.7) to tell
 * statements and their ends apart.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy extends AsyncDisposable {
  /** The database's URL, by way of the proxy. */
  readonly url: string;
  /** How often a connection was broken. */
  readonly cuts: number;
  /**
   * Asked about each statement as it goes to the server, by its name, or by its text where it has none. True lets the
   * server finish it and then breaks the connection.
   */
  cutAfter: (statement: string) => boolean;
  /** Breaks every connection that is open, wherever it stands. */
  cutAll(): void;
}

const CUT_NOTHING = () => false;

export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let cuts = 0;
  const track = (socket: Socket) => {
    open.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };

  function lead(client: Socket): void {
    const server = track(connect(Number(target.port), target.hostname));
    let doomed = false;
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.on(
      'data',
      readMessages(true, (type, body, whole) => {
        const statement = statementOf(type, body);
        if (statement !== undefined && proxy.cutAfter(statement)) doomed = true;
        server.write(whole);
      }),
    );
    server.on(
      'data',
      readMessages(false, (type, _body, whole) => {
        if (!doomed) client.write(whole);
        // ReadyForQuery: what was asked is committed, or rolled back.
        else if (type === 'Z') {
          cuts++;
          client.destroy();
        }
      }),
    );
  }

  const listener = createServer((client) => lead(track(client))).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const led = new URL(url);
  led.port = String(address.port);
  const proxy: CuttingProxy = {
    url: led.href,
    get cuts() {
      return cuts;
    },
    cutAfter: CUT_NOTHING,
    cutAll() {
      for (const socket of open) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const socket of open) socket.destroy();
      await once(listener, 'close');
    },
  };
  return proxy;
}

/** Bind names the portal and then the prepared statement; Query is nothing but text. */
function statementOf(type: string, body: Buffer): string | undefined {
  const parts = body.toString('latin1').split('\0', 2);
  if (type === 'Q') return parts[0];
  return type === 'B' ? parts[1] : undefined;
}

/** Messages are a letter, a length that counts itself, and a body; the first of a client comes without its letter. */
function readMessages(
  beginsBare: boolean,
  heed: (type: string, body: Buffer, whole: Buffer) => void,
): (chunk: Buffer) => void {
  let bare = beginsBare;
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const letter = bare ? 0 : 1;
      if (rest.length < letter + 4) return;
      const end = letter + rest.readUInt32BE(letter);
      if (rest.length < end) return;
      const whole = rest.subarray(0, end);
      rest = rest.subarray(end);
      const type = bare ? '' : String.fromCharCode(whole[0] ?? 0);
      bare = false;
      heed(type, whole.subarray(letter + 4), whole);
    }
  };
}
