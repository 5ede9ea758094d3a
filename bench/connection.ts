/**
 * A client as lean as Node allows: one request at a time on a kept TLS connection, only the necessary headers, and a
 * parser only for the service's answers. It shares the processor with the server, so its own cost distorts the result.
 */
import { connect, type TLSSocket } from 'node:tls';

export interface Target {
  readonly port: number;
  /** Certificate to trust, PEM. */
  readonly ca: string;
  readonly key: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';
/**
 * The buffer that all connections read into: data is taken out before the next read. Bypasses the stream, which costs
 * more than TLS.
 */
const ARRIVED = Buffer.alloc(65_536);

export class Connection {
  readonly #socket: TLSSocket;
  readonly #headers: string;
  #received = '';
  #settle: ((answer: Answer | Error) => void) | undefined;

  private constructor(socket: TLSSocket, key: string) {
    this.#socket = socket;
    this.#headers =
      ` HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n` +
      'content-type: application/json\r\ncontent-length: ';
    socket.setNoDelay(true);
    socket.on('error', (error) => this.#settle?.(error));
    socket.on('close', () => this.#settle?.(new Error('the server closed the connection')));
  }

  static open({ port, ca, key }: Target): Promise<Connection> {
    return new Promise((resolve, reject) => {
      let connection: Connection | undefined;
      const onread = {
        buffer: ARRIVED,
        callback: (length: number) => {
          if (connection !== undefined) connection.#read(ARRIVED.toString('latin1', 0, length));
          return true;
        },
      };
      // Node documents `onread` for TLS too, but its types lack it.
      const options = { port, ca, servername: 'localhost', onread };
      const socket = connect(options, () => {
        connection = new Connection(socket, key);
        resolve(connection);
      });
      socket.once('error', reject);
    });
  }

  /** Sends a JSON body. Rejects when the connection breaks. */
  post(path: string, body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = (answer) => {
        this.#settle = undefined;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      };
      if (this.#socket.destroyed) this.#settle(new Error('the connection is closed'));
      else this.#socket.write(`POST ${path}${this.#headers}${body.length}${END_OF_HEAD}${body}`, 'latin1');
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const head = this.#received.indexOf(END_OF_HEAD);
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1]);
    const start = head + END_OF_HEAD.length;
    if (this.#received.length < start + length) return;
    const answer = {
      status: Number(this.#received.slice(9, 12)),
      body: this.#received.slice(start, start + length),
    };
    this.#received = this.#received.slice(start + length);
    this.#settle?.(answer);
  }
}
