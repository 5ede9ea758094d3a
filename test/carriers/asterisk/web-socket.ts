/** The server's half of RFC 6455, as far as events of ARI need it: whole text frames out, close and ping in. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const [TEXT, CLOSE, PING, PONG] = [0x1, 0x8, 0x9, 0xa];

export interface Peer {
  send(text: string): void;
  /** Ends the connection without notice. */
  drop(): void;
}

export function acceptWebSocket(request: IncomingMessage, socket: Duplex): Peer {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}${KEY_SUFFIX}`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
  let received = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    // Control frames of a client: two octets, a mask of four, at most 125 of payload (section 5.5).
    while (received.length >= 6) {
      const opcode = received.readUInt8(0) & 0xf;
      const length = received.readUInt8(1) & 0x7f;
      if (received.length < 6 + length) return;
      const mask = received.subarray(2, 6);
      const payload = received.subarray(6, 6 + length).map((octet, index) => octet ^ (mask[index % 4] ?? 0));
      received = received.subarray(6 + length);
      if (opcode === PING) socket.write(frame(PONG, Buffer.from(payload)));
      if (opcode === CLOSE) socket.end(frame(CLOSE, Buffer.from(payload)));
    }
  });
  return {
    send: (text) => void socket.write(frame(TEXT, Buffer.from(text))),
    drop: () => void socket.destroy(),
  };
}

function frame(opcode: number, payload: Buffer): Buffer {
  const head = payload.length < 126 ? Buffer.alloc(2) : Buffer.alloc(4);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(Math.min(payload.length, 126), 1);
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
