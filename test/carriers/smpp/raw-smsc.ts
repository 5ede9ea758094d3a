/** An SMSC on bare octets, for things that no SMSC should do. It answers binds by itself, and the rest as the test says. */
import { once } from 'node:events';
import * as net from 'node:net';

export const SUBMIT_SM = 0x04;
export const SUBMIT_SM_RESP = 0x8000_0004;
export const DELIVER_SM_RESP = 0x8000_0005;
export const DATA_SM_RESP = 0x8000_0103;
export const BIND_TRANSCEIVER = 0x09;
export const ENQUIRE_LINK = 0x15;
export const GENERIC_NACK = 0x8000_0000;

export interface RawPdu {
  readonly command: number;
  readonly status: number;
  readonly sequence: number;
  readonly body: Buffer;
}

/** A PDU, with its length filled in. */
export function pdu(
  command: number,
  status: number,
  sequence: number,
  body: Buffer = Buffer.alloc(0),
): Buffer {
  const header = Buffer.alloc(16);
  [16 + body.length, command, status, sequence].forEach((field, index) => {
    header.writeUInt32BE(field, index * 4);
  });
  return Buffer.concat([header, body]);
}

export class RawSmsc {
  readonly received: RawPdu[] = [];
  connections = 0;
  port = 0;
  readonly #sockets = new Set<net.Socket>();
  readonly #server: net.Server;

  /** @param handle handles each PDU; binds are accepted unless it says that it has answered. */
  constructor(handle: (socket: net.Socket, pdu: RawPdu) => 'answered' | undefined) {
    this.#server = net.createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.#sockets.delete(socket));
      let pending = Buffer.alloc(0);
      socket.on('data', (chunk: Buffer) => {
        pending = Buffer.concat([pending, chunk]);
        while (pending.length >= 16 && pending.length >= pending.readUInt32BE(0)) {
          const [command, status, sequence] = [4, 8, 12].map((at) => pending.readUInt32BE(at));
          const body = pending.subarray(16, pending.readUInt32BE(0));
          pending = pending.subarray(pending.readUInt32BE(0));
          const received = { command: command ?? 0, status: status ?? 0, sequence: sequence ?? 0, body };
          this.received.push(received);
          if (handle(socket, received) === undefined && command === BIND_TRANSCEIVER) {
            socket.write(pdu(0x8000_0009, 0, received.sequence, Buffer.from('RAW\0')));
          }
        }
      });
    });
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as net.AddressInfo).port;
    return this;
  }

  /** Sends to every connection. */
  write(octets: Buffer): void {
    for (const socket of this.#sockets) socket.write(octets);
  }

  /** How many PDUs of a command have come. */
  count(command: number): number {
    return this.received.filter((pdu) => pdu.command === command).length;
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }
}
