/**
 * An SMSC on the npm package `smpp`, which interprets SMPP independently of us. The number decides what happens to a message:
 *
 * - leading 0: refused, ESME_RINVDSTADR
 * - ...99: accepted, receipt UNDELIV
 * - ...88: accepted, no receipt
 * - ...77: ESME_RTHROTTLED, accepted the second time
 * - ...66: the connection is dropped with no response
 * - any other: accepted, receipt DELIVRD
 */
import { once } from 'node:events';
import smpp, { type SmppPdu, type SmppServer, type SmppSession } from 'smpp';
import { freePort } from '../../free-port.ts';

const BINDS = new Set(['bind_transceiver', 'bind_transmitter', 'bind_receiver']);
const STATUS = {
  notBound: 0x04,
  bindFailed: 0x0d,
  wrongPassword: 0x0e,
  wrongDestination: 0x0b,
  throttled: 0x58,
};

export interface SeenMessage {
  readonly to: string;
  readonly from: string;
  readonly dataCoding: number;
  readonly text: string;
  readonly sourceTon: number;
  /** How long the message is valid, in ms from its arrival. */
  readonly validMs: number | undefined;
  readonly registered: number;
  /** Optional parameters that SMPP does not define, in hex, by tag in rising order. */
  readonly vendor: ReadonlyMap<number, string>;
  /** The text of message_payload, and the numbers of a part: reference, total, number. */
  readonly payload: string | undefined;
  readonly sar: readonly (number | undefined)[];
  /** Hex of the user data header's elements, if there is one. */
  readonly udh: string;
  /** The connection that it came on. */
  readonly session: number;
  /** How many other messages were unanswered when it came. */
  readonly beside: number;
}

export interface SmscOptions {
  readonly port?: number;
  readonly key?: string;
  readonly cert?: string;
  /** The authority whose certificates clients must have. */
  readonly clientCa?: string;
  /** The only interface_version that it takes; 0x34 by default. */
  readonly version?: number;
  /** The commands of binds that it refuses. */
  readonly refuses?: Set<string>;
  /** The commands that it answers as if the session were not bound. A text among them is a message that it answers so. */
  readonly forgets?: Set<string>;
  /** Spelling of the id in receipts; in submit_sm_resp it is eight hex digits. */
  readonly receiptId?: (id: number) => string;
  /**
   * How receipts come. By default in a deliver_sm, marked by esm_class, from the telephone to the sender. `wordless`: without a text, and what
   * was not delivered has expired.
   */
  readonly receipts?: 'unswapped' | 'data_sm' | 'unmarked' | 'wordless' | undefined;
  /** Delay of a submit_sm_resp in ms; 0 is at once. */
  readonly responseMs?: number;
  /** A text at which the connection is dropped with no response. */
  readonly poison?: string;
  /** A text that is not answered: it stays under way until its connection is gone. */
  readonly unanswered?: string;
  /** The command_status with which it refuses every message, after as many as it `accepts`. */
  readonly refusal?: number;
  readonly accepts?: number;
}

export class Smsc {
  readonly seen: SeenMessage[] = [];
  /** Status of each bind, in order. */
  readonly binds: number[] = [];
  /** What the binds were, in order: command, interface_version, and type, plan and text of the address range. */
  readonly bindings: (readonly [string, ...(number | string | undefined)[]])[] = [];
  readonly sessions = new Set<SmppSession>();
  /** Those that only send. */
  readonly transmitters = new Set<SmppSession>();
  /** Those that are bound to hear: one that was refused, and is about to close, would lose what it is told. */
  readonly #hearers = new Set<SmppSession>();
  /** The most submits that were ever unanswered at once. */
  mostUnderWay = 0;
  receiptsRefused = 0;
  /** The command that answered each receipt. */
  readonly receiptsAnswered: string[] = [];
  /** How many requests it answered as if the session were not bound. */
  forgotten = 0;
  /** How often a message made it drop a connection. */
  drops = 0;
  port = 0;
  readonly #options: SmscOptions;
  readonly #server: SmppServer;
  readonly #throttled = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #connections = 0;
  #underWay = 0;
  #ids = 0xab00;

  constructor(options: SmscOptions) {
    this.#options = options;
    const { key, cert, clientCa: ca } = options;
    const client = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true };
    this.#server = smpp.createServer(key && cert ? { key, cert, ...client } : {}, (session) =>
      this.#connected(session),
    );
  }

  async start(): Promise<this> {
    // Nobody else takes it while the SMSC is away.
    this.port = this.#options.port ?? (await freePort());
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.close();
    for (const session of this.sessions) session.destroy();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  [Symbol.asyncDispose] = () => this.stop();

  /** What a telephone sends back; resolves with the command_status of the answer. */
  say(from: string, octets: Buffer, data_coding = 0): Promise<number> {
    const [session] = this.#hearers;
    if (session === undefined) throw new Error('nobody is bound');
    const source = { source_addr: from, source_addr_ton: 1, source_addr_npi: 1 };
    const pdu = { ...source, destination_addr: '12345', data_coding, short_message: octets };
    return new Promise((resolve) =>
      session.deliver_sm(pdu, (answer) => resolve(answer.command_status ?? -1)),
    );
  }

  #connected(session: SmppSession): void {
    const number = ++this.#connections;
    this.sessions.add(session);
    session.socket.setNoDelay(true);
    session.on('error', () => session.destroy());
    session.on('close', () => {
      this.sessions.delete(session);
      this.transmitters.delete(session);
      this.#hearers.delete(session);
    });
    session.on('pdu', (pdu: SmppPdu) => {
      if (BINDS.has(pdu.command)) this.#bind(session, pdu);
      else if (this.#forgets(pdu)) session.send(pdu.response({ command_status: STATUS.notBound }));
      else if (pdu.command === 'submit_sm') this.#submitted(session, number, pdu);
      else if (!pdu.isResponse()) session.send(pdu.response());
    });
  }

  #forgets(pdu: SmppPdu): boolean {
    const { forgets } = this.#options;
    if (forgets === undefined || pdu.isResponse()) return false;
    const forgotten = forgets.has(pdu.command) || forgets.has(String(pdu.short_message?.message));
    if (forgotten) this.forgotten += 1;
    return forgotten;
  }

  #bind(session: SmppSession, pdu: SmppPdu): void {
    const { version = 0x34, refuses } = this.#options;
    const { addr_ton, addr_npi, address_range } = pdu;
    this.bindings.push([pdu.command, pdu.interface_version, addr_ton, addr_npi, address_range]);
    if (pdu.command === 'bind_transmitter') this.transmitters.add(session);
    const status =
      pdu.interface_version !== version || refuses?.has(pdu.command)
        ? STATUS.bindFailed
        : pdu.system_id === 'u' && pdu.password === 'p'
          ? 0
          : STATUS.wrongPassword;
    this.binds.push(status);
    if (status === 0 && !this.transmitters.has(session)) this.#hearers.add(session);
    session.send(pdu.response({ command_status: status, system_id: 'TEST' }));
  }

  #submitted(session: SmppSession, number: number, pdu: SmppPdu): void {
    const to = pdu.destination_addr ?? '';
    const message = { ...describe(pdu, number), beside: this.#underWay };
    this.seen.push(message);
    if (to.endsWith('66') || message.text === this.#options.poison) {
      this.drops += 1;
      session.destroy();
      return;
    }
    this.#underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay);
    if (message.text === this.#options.unanswered) {
      session.on('close', () => {
        this.#underWay -= 1;
      });
      return;
    }
    this.#later(this.#options.responseMs ?? 0, () => {
      this.#underWay -= 1;
      this.#answer(session, pdu, to);
    });
  }

  #answer(session: SmppSession, pdu: SmppPdu, to: string): void {
    const status = this.#verdict(to);
    if (status !== 0) {
      session.send(pdu.response({ command_status: status }));
      return;
    }
    const id = ++this.#ids;
    const hex = id.toString(16).toUpperCase().padStart(8, '0');
    session.send(pdu.response({ message_id: hex }));
    if (to.endsWith('88') || !pdu.registered_delivery) return;
    this.#sendReceipt(this.#options.receiptId?.(id) ?? hex, pdu);
  }

  #verdict(to: string): number {
    const { refusal, accepts = 0 } = this.#options;
    if (refusal !== undefined) return this.seen.length > accepts ? refusal : 0;
    if (to.startsWith('0')) return STATUS.wrongDestination;
    if (!to.endsWith('77')) return 0;
    return this.#throttled.delete(to) ? 0 : this.#throttled.add(to) && STATUS.throttled;
  }

  /** Sends to any bind of the account; again if it is refused. */
  #sendReceipt(id: string, pdu: SmppPdu): void {
    const undelivered = pdu.destination_addr?.endsWith('99');
    const style = this.#options.receipts;
    const telephone = [pdu.destination_addr, pdu.dest_addr_ton, pdu.dest_addr_npi];
    const sender = [pdu.source_addr, pdu.source_addr_ton, pdu.source_addr_npi];
    const [from, to] = style === 'unswapped' ? [sender, telephone] : [telephone, sender];
    const [source_addr, source_addr_ton, source_addr_npi] = from;
    const [destination_addr, dest_addr_ton, dest_addr_npi] = to;
    const addresses = {
      ...{ source_addr, source_addr_ton, source_addr_npi },
      ...{ destination_addr, dest_addr_ton, dest_addr_npi },
    };
    const [session] = this.#hearers;
    // As an SMSC does that has nobody to tell: it keeps the receipt.
    if (session === undefined) {
      this.#later(20, () => this.#sendReceipt(id, pdu));
      return;
    }
    const responded = (response: SmppPdu) => {
      this.receiptsAnswered.push(response.command);
      if (response.command_status === 0) return;
      this.receiptsRefused += 1;
      this.#later(20, () => this.#sendReceipt(id, pdu));
    };
    if (style === 'data_sm') {
      const state = { receipted_message_id: id, message_state: undelivered ? 5 : 2 };
      session.data_sm({ ...addresses, esm_class: 4, ...state }, responded);
      return;
    }
    if (style === 'wordless') {
      const state = { receipted_message_id: id, message_state: undelivered ? 3 : 2 };
      session.deliver_sm({ ...addresses, esm_class: 4, short_message: '', ...state }, responded);
      return;
    }
    const stat = undelivered ? 'UNDELIV err:001' : 'DELIVRD err:000';
    const short_message = Buffer.from(
      `id:${id} sub:001 dlvrd:001 submit date:2611202258 done date:2611202258 stat:${stat} text:...`,
    );
    session.deliver_sm({ ...addresses, esm_class: style === 'unmarked' ? 0 : 4, short_message }, responded);
  }

  #later(ms: number, act: () => void): void {
    if (ms === 0) {
      act();
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
  }
}

function describe(pdu: SmppPdu, session: number): Omit<SeenMessage, 'beside'> {
  return {
    to: pdu.destination_addr ?? '',
    from: pdu.source_addr ?? '',
    dataCoding: pdu.data_coding ?? -1,
    text: String(pdu.short_message?.message ?? ''),
    sourceTon: pdu.source_addr_ton ?? -1,
    validMs: pdu.validity_period instanceof Date ? pdu.validity_period.getTime() - Date.now() : undefined,
    registered: pdu.registered_delivery ?? 0,
    vendor: vendorParameters(pdu),
    payload: pdu.message_payload && String(pdu.message_payload.message),
    sar: [pdu.sar_msg_ref_num, pdu.sar_total_segments, pdu.sar_segment_seqnum],
    udh: Buffer.concat(pdu.short_message?.udh ?? []).toString('hex'),
    session,
  };
}

/** The package keeps those that it does not know under their numbers. */
function vendorParameters(pdu: SmppPdu): ReadonlyMap<number, string> {
  const unknown = Object.entries(pdu).filter(([name]) => /^\d+$/.test(name));
  return new Map(unknown.map(([tag, value]) => [Number(tag), Buffer.from(value).toString('hex')]));
}
