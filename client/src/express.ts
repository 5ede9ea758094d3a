/** Express, Connect and Node's own server, without importing any of them. */
import { readText } from './same-origin.ts';

export type Handler = (request: Request) => Promise<Response>;

/** What is read of Node's request. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What `express.json()` has parsed, if it came first. */
  readonly body?: unknown;
}

/** What is used of Node's response. */
interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string | readonly string[]): unknown;
  end(text: string): unknown;
}

/** `app.post('/verify', toExpress(start))` */
export function toExpress(handler: Handler) {
  return async (
    request: NodeRequest,
    response: NodeResponse,
    next?: (error: unknown) => void,
  ): Promise<void> => {
    try {
      const answer = await handler(await toRequest(request));
      response.statusCode = answer.status;
      for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value);
      const cookies = answer.headers.getSetCookie();
      if (cookies.length > 0) response.setHeader('set-cookie', cookies);
      response.end(await answer.text());
    } catch (error) {
      if (next === undefined) throw error;
      next(error);
    }
  };
}

async function toRequest(request: NodeRequest): Promise<Request> {
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // Those of HTTP/2 that begin with a colon are no headers.
    if (value !== undefined && !name.startsWith(':')) headers.set(name, [value].flat().join(', '));
  }
  const text = request.body === undefined ? await readText(request) : JSON.stringify(request.body);
  return new Request(`http://${headers.get('host') ?? 'localhost'}${url}`, {
    method,
    headers,
    // A body that is too large is read as none, and refused.
    ...(method === 'POST' && { body: text ?? '' }),
  });
}
