/** A telephone without an account: a SIP user agent (RFC 3261) over UDP that rings until it is cancelled, and notes who called. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

interface Seen {
  /** The user of the header From. */
  readonly from: string;
  /** What it has received since, in order: methods of requests. */
  readonly methods: string[];
}

export interface Telephone extends AsyncDisposable {
  readonly port: number;
  /** By Call-ID. */
  readonly calls: ReadonlyMap<string, Seen>;
}

const headerOf = (text: string, name: string): string =>
  new RegExp(`^${name}: *(.*)$`, 'im').exec(text)?.[1]?.trim() ?? '';

export async function plugIn(): Promise<Telephone> {
  const socket = createSocket('udp4');
  const calls = new Map<string, Seen>();
  const invitations = new Map<string, string>();

  function answer(request: string, status: string, port: number): void {
    const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headerOf(request, name)}`);
    const to = headerOf(request, 'To').replace(/(?<!tag=.*)$/, ';tag=telephone');
    const lines = [`SIP/2.0 ${status}`, ...copied, `To: ${to}`, 'Content-Length: 0', '', ''];
    socket.send(lines.join('\r\n'), port, '127.0.0.1');
  }

  socket.on('message', (data, { port }) => {
    const text = data.toString();
    const method = /^\w+/.exec(text)?.[0] ?? '';
    const id = headerOf(text, 'Call-ID');
    const [, from = ''] = /sips?:([^@>]*)@/.exec(headerOf(text, 'From')) ?? [];
    const call = calls.get(id) ?? { from, methods: [] };
    calls.set(id, call);
    call.methods.push(method);
    if (method === 'INVITE') {
      invitations.set(id, text);
      answer(text, '180 Ringing', port);
    }
    if (method === 'CANCEL') {
      answer(text, '200 OK', port);
      answer(invitations.get(id) ?? text, '487 Request Terminated', port);
    }
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    calls,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
