/** Reads lines of recorded traffic. */
import type { RecordedRequest } from '../../guard/recorded/recorded-traffic.ts';

export type TrafficLine =
  | ({ readonly op: 'verify' } & RecordedRequest)
  | { readonly op: 'receipt' }
  | { readonly op: 'confirm'; readonly at: number; readonly ref: string; readonly ok: boolean };

/** Names the field and what is expected; the caller adds the number of the line. Never shows what the line holds. */
export class MalformedLine extends Error {
  override readonly name = 'MalformedLine';
}

/** @throws {MalformedLine} */
export function parseTrafficLine(text: string): TrafficLine {
  const line = parseObject(text);
  const at = Date.parse(textOf(line, 'at'));
  if (Number.isNaN(at)) throw new MalformedLine('at: expected a time such as 2026-11-01T00:00:00.000Z');
  const ref = textOf(line, 'ref');
  switch (line.op) {
    case 'verify':
      return {
        op: 'verify',
        at,
        ref,
        account: textOf(line, 'account'),
        key: textOf(line, 'key'),
        destination: textOf(line, 'destination'),
        channel: typeof line.channel === 'string' ? line.channel : 'sms',
        ip: addressOf(line.client),
        brought: line.brought === true,
      };
    case 'confirm':
      if (typeof line.ok !== 'boolean') throw new MalformedLine('ok: expected true or false');
      return { op: 'confirm', at, ref, ok: line.ok };
    case 'receipt':
      return { op: 'receipt' };
    default:
      throw new MalformedLine('op: expected verify, receipt or confirm');
  }
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The parser's own message quotes the line, which may hold a number.
  }
  throw new MalformedLine('expected a JSON object');
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(line: Fields, field: string): string {
  const value = line[field];
  if (typeof value === 'string' && value !== '') return value;
  throw new MalformedLine(`${field}: expected text`);
}

function addressOf(client: unknown): string | undefined {
  return isObject(client) && typeof client.ip === 'string' && client.ip !== '' ? client.ip : undefined;
}
