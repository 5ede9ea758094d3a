import type { ServerResponse } from 'node:http';
import type { HandsetMessage } from '../../src/portal/contract/handset.ts';

const listeners = new Set<ServerResponse>();
const codes = new Map<string, string>();

export function answerEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': here\n\n');
  listeners.add(response);
  response.on('close', () => listeners.delete(response));
}

export function answerService(path: string, body: Record<string, unknown>, response: ServerResponse): void {
  const respond = (status: number, answer: object): void => {
    response.writeHead(status, {
      'content-type': status < 300 ? 'application/json' : 'application/problem+json',
    });
    response.end(JSON.stringify(answer));
  };
  if (path === '/confirm') {
    const right = codes.get(String(body.id)) === body.code;
    if (right) respond(200, { id: body.id, confirmed_at: new Date().toISOString() });
    else
      respond(403, {
        type: 'code-mismatch',
        title: 'The code does not match',
        status: 403,
        detail: 'Not the code that was sent.',
        attempts_remaining: 4,
      });
    return;
  }
  const id = `ver_${Date.now().toString(16)}`;
  const code = String(Math.floor(Math.random() * 900_000) + 100_000);
  codes.set(id, code);
  const channel = body.channel === 'voice' ? 'voice' : 'sms';
  const text =
    channel === 'voice'
      ? `Your code is ${[...code].join(', ')}.`
      : `${code} is your Countersign code. It is valid for 10 minutes.`;
  const message: HandsetMessage = {
    id,
    destination: String(body.destination),
    channel,
    locale: 'en',
    text,
    code,
    at: new Date().toISOString(),
  };
  for (const listener of listeners) listener.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  respond(200, { id, destination: body.destination, channel });
}
