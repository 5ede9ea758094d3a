import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Handler, Refusal } from './answer.ts';
import { keys } from './keys.ts';
import { overview } from './overview.ts';
import { people } from './people.ts';
import { session } from './session.ts';
import { verifications } from './verifications.ts';

const HANDLERS: Readonly<Record<string, Handler>> = {
  ...session,
  ...people,
  ...keys,
  ...overview,
  ...verifications,
};
const OPEN = /^(GET state|POST setup|POST reset|POST session.*|GET oidc\/.*|POST invitations\/.*)$/;
const DELAY_MS = Number(process.env.FAKE_DELAY_MS ?? 60);

export async function answerApi(
  request: IncomingMessage,
  url: URL,
  body: Record<string, unknown>,
  response: ServerResponse,
): Promise<void> {
  await sleep(DELAY_MS);
  const path = `${request.method} ${url.pathname.replace('/portal/api/', '')}`;
  try {
    if (!OPEN.test(path) && !request.headers.cookie?.includes('fake=in'))
      throw new Refusal(401, 'Not signed in');
    send(response, run(path, body, url.searchParams));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message: title, errors, kind } = error;
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ type: `/problems/${kind}`, title, status, detail: error.detail, errors }));
  }
}

function run(path: string, body: Record<string, unknown>, query: URLSearchParams): Answer {
  for (const [pattern, handler] of Object.entries(HANDLERS)) {
    const match = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(path);
    if (match !== null) return handler({ params: match.groups ?? {}, body, query });
  }
  throw new Refusal(404, 'There is nothing here');
}

function send(response: ServerResponse, { body, cookie, csv, location }: Answer): void {
  if (cookie !== undefined) response.setHeader('set-cookie', `fake=${cookie}; Path=/; HttpOnly`);
  if (location !== undefined) {
    response.writeHead(303, { location });
    response.end();
    return;
  }
  if (csv !== undefined) {
    response.writeHead(200, {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename=overview.csv',
    });
    response.end(csv);
    return;
  }
  response.writeHead(body === undefined ? 204 : 200, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
