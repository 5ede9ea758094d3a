/** The part of the npm package `smpp` that the test SMSC uses; the package has no types. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server, Socket } from 'node:net';

  export interface SmppPdu {
    command: string;
    command_status: number;
    sequence_number: number;
    system_id?: string;
    password?: string;
    interface_version?: number;
    source_addr?: string;
    source_addr_ton?: number;
    validity_period?: Date | string;
    source_addr_npi?: number;
    destination_addr?: string;
    dest_addr_ton?: number;
    dest_addr_npi?: number;
    esm_class?: number;
    data_coding?: number;
    registered_delivery?: number;
    short_message?: { message: string | Buffer; udh?: Buffer[] };
    message_payload?: { message: string | Buffer };
    sar_msg_ref_num?: number;
    sar_total_segments?: number;
    sar_segment_seqnum?: number;
    addr_ton?: number;
    addr_npi?: number;
    address_range?: string;
    isResponse(): boolean;
    response(options?: Record<string, unknown>): SmppPdu;
  }

  export interface SmppSession extends EventEmitter {
    readonly socket: Socket;
    send(pdu: SmppPdu, responded?: (response: SmppPdu) => void): boolean;
    deliver_sm(fields: Record<string, unknown>, responded?: (response: SmppPdu) => void): boolean;
    data_sm(fields: Record<string, unknown>, responded?: (response: SmppPdu) => void): boolean;
    enquire_link(responded?: (response: SmppPdu) => void): boolean;
    destroy(): void;
  }

  export interface SmppServer extends Server {
    readonly sessions: SmppSession[];
  }

  const smpp: {
    createServer(
      options: { key?: string; cert?: string; ca?: string; requestCert?: boolean },
      listener: (session: SmppSession) => void,
    ): SmppServer;
  };
  export default smpp;
}
