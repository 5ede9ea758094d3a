/** The SMSC of the interoperation tests: ours, or the one named by COUNTERSIGN_TEST_SMSC=host:port. */
import { readFile } from 'node:fs/promises';
import { Smsc } from './smsc.ts';

/** A message as the SMSC understood it. */
export interface PeerMessage {
  readonly to: string;
  readonly from: string;
  readonly dataCoding: number;
  readonly text: string;
}

export interface Peer {
  readonly host: string;
  readonly port: number;
  /** Messages to `digits` so far, or undefined if the SMSC does not say. */
  read(digits: string): Promise<PeerMessage[] | undefined>;
  stop(): Promise<void>;
}

export async function startPeer(): Promise<Peer> {
  const external = process.env.COUNTERSIGN_TEST_SMSC;
  return external === undefined ? ownPeer() : externalPeer(external);
}

async function ownPeer(): Promise<Peer> {
  const smsc = await new Smsc({}).start();
  return {
    host: '127.0.0.1',
    port: smsc.port,
    read: async (digits) => smsc.seen.filter(({ to }) => to === digits),
    stop: () => smsc.stop(),
  };
}

/** Its texts are read from COUNTERSIGN_TEST_SMSC_LOG, one JSON object per line: to, from, data_coding, text. */
function externalPeer(address: string): Peer {
  const [host = '', port] = address.split(':');
  const log = process.env.COUNTERSIGN_TEST_SMSC_LOG;
  return {
    host,
    port: Number(port),
    async read(digits) {
      if (log === undefined) return undefined;
      const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes(digits));
      return lines
        .map((line) => JSON.parse(line))
        .filter(({ to }) => to === digits)
        .map(({ to, from, text, data_coding: dataCoding }) => ({ to, from, text, dataCoding }));
    },
    stop: async () => {},
  };
}
