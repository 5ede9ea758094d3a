/**
 * An SMSC that takes every message at once and sends its receipt. It handles octets directly, because proper packages
 * cost more than the link being measured. The tests show that the link is correct.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Arrived } from './phones.ts';

const SUBMIT_SM = 0x04;
const DELIVER_SM = 0x05;
const RESPONSE = 0x8000_0000;
const HEADER_BYTES = 16;
/** Delivery receipt (SMPP 3.4, section 5.2.12). */
const ESM_RECEIPT = 0x04;

export async function startSmsc(
  arrived: Arrived,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const sockets = new Set<Socket>();
  let taken = 0;

  function answer(socket: Socket, pdu: Buffer): void {
    const command = pdu.readUInt32BE(4);
    const sequence = pdu.readUInt32BE(12);
    if (command >= RESPONSE) return;
    if (command !== SUBMIT_SM) {
      // bind_transceiver_resp has a system_id, the others have nothing. An extra octet does no harm.
      socket.write(encode(command | RESPONSE, sequence, Buffer.from([0])));
      return;
    }
    const { to, text } = readSubmit(pdu);
    const reference = String(1_000_000 + taken++);
    arrived(`+${to}`, /\d{6}/.exec(text)?.[0] ?? '');
    socket.cork();
    socket.write(encode(SUBMIT_SM | RESPONSE, sequence, Buffer.from(`${reference}\0`)));
    socket.write(encode(DELIVER_SM, taken, receiptOf(reference, to)));
    socket.uncork();
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    let received: Buffer = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      while (received.length >= HEADER_BYTES && received.length >= received.readUInt32BE(0)) {
        const length = received.readUInt32BE(0);
        answer(socket, received.subarray(0, length));
        received = received.subarray(length);
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The two fields of interest of a submit_sm (SMPP 3.4, section 4.4.1); codes look the same in GSM 7-bit and ASCII. */
function readSubmit(pdu: Buffer): { readonly to: string; readonly text: string } {
  let at = HEADER_BYTES;
  const skipString = () => {
    const end = pdu.indexOf(0, at);
    const text = pdu.toString('latin1', at, end);
    at = end + 1;
    return text;
  };
  skipString(); // service_type
  at += 2; // source_addr_ton, source_addr_npi
  skipString(); // source_addr
  at += 2; // dest_addr_ton, dest_addr_npi
  const to = skipString();
  at += 3; // esm_class, protocol_id, priority_flag
  skipString(); // schedule_delivery_time
  skipString(); // validity_period
  at += 4; // registered_delivery, replace_if_present_flag, data_coding, sm_default_msg_id
  const length = pdu.readUInt8(at);
  return { to, text: pdu.toString('latin1', at + 1, at + 1 + length) };
}

function receiptOf(reference: string, to: string): Buffer {
  const text = `id:${reference} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:`;
  return Buffer.concat([
    Buffer.from(`\0\x01\x01${to}\0\x05\x00Acme\0`, 'latin1'),
    Buffer.from([ESM_RECEIPT, 0, 0, 0, 0, 0, 0, 0, 0, text.length]),
    Buffer.from(text, 'latin1'),
  ]);
}

function encode(command: number, sequence: number, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(HEADER_BYTES + body.length, 0);
  header.writeUInt32BE(command >>> 0, 4);
  header.writeUInt32BE(sequence, 12);
  return Buffer.concat([header, body]);
}
