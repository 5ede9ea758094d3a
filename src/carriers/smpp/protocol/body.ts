/** Bodies of the PDUs that an ESME needs. submit_sm and deliver_sm have the same layout. */
import { allocatePdu, COMMAND, HEADER_LENGTH } from './pdu.ts';

/** An SMPP address. `digits` holds no `+`; it also holds a sender's name. */
export interface Address {
  readonly ton: number;
  readonly npi: number;
  readonly digits: string;
}

/** The fields of submit_sm and deliver_sm. `octets` is the encoded text, with its user data header if esm_class says so. */
export interface ShortMessage {
  readonly serviceType: string;
  readonly source: Address;
  readonly destination: Address;
  readonly esmClass: number;
  /** As `relativeTime` writes it; `''` for the SMSC's default. A deliver_sm has none. */
  readonly validityPeriod: string;
  readonly registeredDelivery: number;
  readonly dataCoding: number;
  readonly octets: Buffer;
  /** Optional parameters to send, encoded. */
  readonly parameters?: Buffer;
}

/** A deliver_sm, or a data_sm, which has fewer fields. Optional parameters by tag. */
export interface ReceivedMessage extends ShortMessage {
  readonly tlvs: ReadonlyMap<number, Buffer>;
}

/** esm_class: the short message begins with a user data header. */
export const UDH_INDICATOR = 0x40;
export const MESSAGE_PAYLOAD = 0x0424;

/** What a link is for: sending, receiving, or both. */
export type BindRole = 'transceiver' | 'transmitter' | 'receiver';

export const BIND: Readonly<Record<BindRole, number>> = {
  transceiver: COMMAND.bindTransceiver,
  transmitter: COMMAND.bindTransmitter,
  receiver: COMMAND.bindReceiver,
};

/** The fields of a bind. */
interface Binding {
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly interfaceVersion: number;
  readonly addressTon: number;
  readonly addressNpi: number;
  readonly addressRange: string;
}

export function encodeBind(sequence: number, role: BindRole, binding: Binding): Buffer {
  const { systemId, password, systemType, interfaceVersion, addressTon, addressNpi, addressRange } = binding;
  const length = systemId.length + password.length + systemType.length + addressRange.length + 4 + 3;
  const pdu = allocatePdu(BIND[role], 0, sequence, length);
  let at = writeText(pdu, HEADER_LENGTH, systemId);
  at = writeText(pdu, at, password);
  at = writeText(pdu, at, systemType);
  pdu[at++] = interfaceVersion;
  writeAddress(pdu, at, { ton: addressTon, npi: addressNpi, digits: addressRange });
  return pdu;
}

export function encodeMessage(command: number, sequence: number, message: ShortMessage): Buffer {
  const { serviceType, source, destination, validityPeriod, octets, parameters } = message;
  const addresses = source.digits.length + destination.digits.length;
  const text = serviceType.length + addresses + validityPeriod.length + octets.length;
  const length = text + 17 + (parameters?.length ?? 0);
  const pdu = allocatePdu(command, 0, sequence, length);
  let at = writeText(pdu, HEADER_LENGTH, serviceType);
  at = writeAddress(pdu, at, source);
  at = writeAddress(pdu, at, destination);
  pdu[at++] = message.esmClass;
  // protocol_id, priority_flag, schedule_delivery_time: all the SMSC's default.
  pdu.fill(0, at, at + 3);
  at = writeText(pdu, at + 3, validityPeriod);
  pdu[at++] = message.registeredDelivery;
  pdu[at++] = 0;
  pdu[at++] = message.dataCoding;
  pdu[at++] = 0;
  pdu[at++] = octets.length;
  at += octets.copy(pdu, at);
  parameters?.copy(pdu, at);
  return pdu;
}

/** Reads the body of a deliver_sm or submit_sm; undefined if its mandatory part cannot be read. */
export function decodeMessage(body: Buffer): ReceivedMessage | undefined {
  const cursor = new Cursor(body);
  const serviceType = cursor.text();
  const source = cursor.address();
  const destination = cursor.address();
  const esmClass = cursor.octet();
  cursor.octet(); // protocol_id
  cursor.octet(); // priority_flag
  cursor.text(); // schedule_delivery_time
  const validityPeriod = cursor.text();
  const registeredDelivery = cursor.octet();
  cursor.octet(); // replace_if_present_flag
  const dataCoding = cursor.octet();
  cursor.octet(); // sm_default_msg_id
  const shortMessage = cursor.take(cursor.octet());
  if (cursor.failed) return undefined;
  const tlvs = cursor.tlvs();
  const octets = shortMessage.length > 0 ? shortMessage : (tlvs.get(MESSAGE_PAYLOAD) ?? shortMessage);
  return {
    serviceType,
    source,
    destination,
    esmClass,
    validityPeriod,
    registeredDelivery,
    dataCoding,
    octets,
    tlvs,
  };
}

/** Reads the body of a data_sm (SMPP 3.4, section 4.7.1). Its text is a parameter. */
export function decodeDataMessage(body: Buffer): ReceivedMessage | undefined {
  const cursor = new Cursor(body);
  const serviceType = cursor.text();
  const source = cursor.address();
  const destination = cursor.address();
  const esmClass = cursor.octet();
  const registeredDelivery = cursor.octet();
  const dataCoding = cursor.octet();
  if (cursor.failed) return undefined;
  const tlvs = cursor.tlvs();
  const octets = tlvs.get(MESSAGE_PAYLOAD) ?? Buffer.alloc(0);
  return {
    serviceType,
    source,
    destination,
    esmClass,
    validityPeriod: '',
    registeredDelivery,
    dataCoding,
    octets,
    tlvs,
  };
}

/** A span in whole seconds, at least one, in SMPP's format: `YYMMDDhhmmss000R` (SMPP 3.4, section 7.1.1.2). */
export function relativeTime(ms: number): string {
  const seconds = Math.max(1, Math.floor(ms / 1_000));
  const parts = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return `0000${parts.map((part) => String(part).padStart(2, '0')).join('')}000R`;
}

/** The message_id of a submit_sm_resp; `''` if there is none. */
export function decodeMessageId(body: Buffer): string {
  const end = body.indexOf(0);
  return body.toString('latin1', 0, end === -1 ? body.length : end);
}

function writeText(pdu: Buffer, at: number, text: string): number {
  const end = at + pdu.write(text, at, 'latin1');
  pdu[end] = 0;
  return end + 1;
}

function writeAddress(pdu: Buffer, at: number, { ton, npi, digits }: Address): number {
  pdu[at] = ton;
  pdu[at + 1] = npi;
  return writeText(pdu, at + 2, digits);
}

/** Walks over a body. Past its end every read returns nothing and `failed` stays true, so one check is enough. */
class Cursor {
  failed = false;
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  octet(): number {
    return this.take(1)[0] ?? 0;
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#body.length) this.failed = true;
    if (this.failed) return this.#body.subarray(0, 0);
    const octets = this.#body.subarray(this.#at, end);
    this.#at = end;
    return octets;
  }

  text(): string {
    const end = this.#body.indexOf(0, this.#at);
    if (end === -1) this.failed = true;
    if (this.failed) return '';
    const text = this.#body.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  address(): Address {
    return { ton: this.octet(), npi: this.octet(), digits: this.text() };
  }

  /** The optional parameters up to the end. SMSCs pad PDUs, so an incomplete last one does not invalidate the others. */
  tlvs(): Map<number, Buffer> {
    const tlvs = new Map<number, Buffer>();
    while (this.#body.length - this.#at >= 4) {
      const tag = this.#body.readUInt16BE(this.#at);
      const length = this.#body.readUInt16BE(this.#at + 2);
      this.#at += 4;
      if (length > this.#body.length - this.#at) break;
      tlvs.set(tag, this.take(length));
    }
    return tlvs;
  }
}
