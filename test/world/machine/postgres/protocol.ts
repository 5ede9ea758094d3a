/** As much of PostgreSQL's protocol as the world has to know: what a node asks, and where an answer ends. */

export interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

/** The whole messages that a piece begins with. Each is a type and a length, which counts itself. */
export function messagesIn(piece: Buffer): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at + 5 <= piece.length; ) {
    const end = at + 1 + piece.readInt32BE(at + 1);
    if (end > piece.length) break;
    messages.push({ type: String.fromCharCode(piece[at] ?? 0), bytes: piece.subarray(at, end) });
    at = end;
  }
  return messages;
}

/** What a node asks in one go, up to where it waits for the answer. */
export interface Question {
  readonly messages: readonly Message[];
  /** Of a prepared statement; empty for others. */
  readonly name: string;
  /** Unless it was prepared before. */
  readonly text: string | undefined;
}

export function questionOf(messages: readonly Message[]): Question {
  const [first, ...others] = messages;
  if (first?.type === 'Q') return { messages, name: '', text: textAt(first, 5)[0] };
  if (first?.type === 'P') {
    const [name, next] = textAt(first, 5);
    return { messages, name, text: textAt(first, next)[0] };
  }
  const bind = [first, ...others].find((message) => message?.type === 'B');
  if (bind === undefined) return { messages, name: '', text: undefined };
  const [, next] = textAt(bind, 5);
  return { messages, name: textAt(bind, next)[0], text: undefined };
}

/** The text that begins there, and where the next one begins. */
function textAt({ bytes }: Message, from: number): readonly [string, number] {
  const end = bytes.indexOf(0, from);
  return [bytes.toString('utf8', from, end), end + 1];
}

/** A question of plain SQL. */
export const asking = (sql: string): Message => messageOf('Q', `${sql}\0`);

/** What a server answers whose disk is full. */
export const DISK_FULL = messageOf('E', 'SERROR\0VERROR\0C53100\0Mno space left on device\0\0');

function messageOf(type: string, content: string): Message {
  const body = Buffer.from(content);
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type);
  bytes.writeInt32BE(4 + body.length, 1);
  body.copy(bytes, 5);
  return { type, bytes };
}
