/**
 * SMPP 3.4 PDUs: the header, and how PDUs are cut out of a stream. Nothing here throws because of what a peer sends:
 * what cannot be read is returned as a value.
 */

/** `command_id` (SMPP 3.4, section 5.1.2.1). A response is its request with the highest bit set. */
export const COMMAND = {
  bindReceiver: 0x01,
  bindTransmitter: 0x02,
  submitSm: 0x04,
  deliverSm: 0x05,
  unbind: 0x06,
  bindTransceiver: 0x09,
  enquireLink: 0x15,
  alertNotification: 0x102,
  dataSm: 0x103,
  genericNack: 0x8000_0000,
} as const;

const RESPONSE = 0x8000_0000;
export const HEADER_LENGTH = 16;
/** No PDU that an SMSC has reason to send is longer. The standard allows a message_payload of 64 KiB. */
export const MAX_COMMAND_LENGTH = 0x1_1000;
const MAX_SEQUENCE = 0x7fff_ffff;

export interface Pdu {
  readonly command: number;
  readonly status: number;
  readonly sequence: number;
  /** A view into the chunk that was received. */
  readonly body: Buffer;
}

export function isResponse(command: number): boolean {
  return command >= RESPONSE;
}

export function responseTo(command: number): number {
  return (command | RESPONSE) >>> 0;
}

/** The request that a response is for; 0 for generic_nack, which does not say. */
export function requestOf(response: number): number {
  return response - RESPONSE;
}

/** sequence_number runs from 1 to its maximum and starts again; 0 is never used. */
export function nextSequence(sequence: number): number {
  return sequence === MAX_SEQUENCE ? 1 : sequence + 1;
}

/** Steps from one sequence number on to another. */
export function distance(from: number, to: number): number {
  return (to - from + MAX_SEQUENCE) % MAX_SEQUENCE;
}

/** Makes a PDU of `bodyLength` octets with its header filled in; the caller writes the body behind `HEADER_LENGTH`. */
export function allocatePdu(command: number, status: number, sequence: number, bodyLength: number): Buffer {
  const pdu = Buffer.allocUnsafe(HEADER_LENGTH + bodyLength);
  pdu.writeUInt32BE(pdu.length, 0);
  pdu.writeUInt32BE(command, 4);
  pdu.writeUInt32BE(status, 8);
  pdu.writeUInt32BE(sequence, 12);
  return pdu;
}

export function encodePdu({ command, status, sequence, body }: Pdu): Buffer {
  const pdu = allocatePdu(command, status, sequence, body.length);
  body.copy(pdu, HEADER_LENGTH);
  return pdu;
}

/** Cuts PDUs out of a stream, whatever its chunks. */
export class PduReader {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Octets needed to continue, so that an incomplete PDU is not parsed again for each chunk. */
  #needed = 4;

  /**
   * The PDUs that `chunk` completes. `broken` if a command_length is impossible: then nobody can tell where the next
   * PDU begins, and the connection is useless.
   */
  push(chunk: Buffer): { readonly pdus: readonly Pdu[]; readonly broken: boolean } {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const pdus: Pdu[] = [];
    if (this.#length < this.#needed) return { pdus, broken: false };

    const data = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#length);
    let offset = 0;
    this.#needed = 4;
    while (data.length - offset >= 4) {
      const length = data.readUInt32BE(offset);
      if (length < HEADER_LENGTH || length > MAX_COMMAND_LENGTH) return { pdus, broken: true };
      this.#needed = length;
      if (data.length - offset < length) break;
      pdus.push(decodePdu(data, offset, length));
      offset += length;
      this.#needed = 4;
    }
    this.#chunks = offset < data.length ? [data.subarray(offset)] : [];
    this.#length = data.length - offset;
    return { pdus, broken: false };
  }
}

function decodePdu(data: Buffer, offset: number, length: number): Pdu {
  return {
    command: data.readUInt32BE(offset + 4),
    status: data.readUInt32BE(offset + 8),
    sequence: data.readUInt32BE(offset + 12),
    body: data.subarray(offset + HEADER_LENGTH, offset + length),
  };
}
