/** Somebody who visits an application: JSON and forms from its own pages, and the cookies that it sets. */

export interface Visitor {
  get(path: string): Promise<Response>;
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  postForm(path: string, fields: Readonly<Record<string, string>>): Promise<Response>;
}

export function createVisitor(origin: string): Visitor {
  const cookies = new Map<string, string>();
  async function ask(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('origin', origin);
    headers.set('cookie', Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  return {
    get: (path) => ask(path, {}),
    post: (path, body, headers) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    postForm: (path, fields) => ask(path, { method: 'POST', body: new URLSearchParams(fields) }),
  };
}

/** The JSON of an answer. */
export const read = async <T>(answer: Response): Promise<T> => JSON.parse(await answer.text());
