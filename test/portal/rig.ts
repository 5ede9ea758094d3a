/** The portal as a browser sees it: a separate service, and visitors who keep their cookies. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Answer, createClient, eventually, type RequestOptions } from '../acceptance/client.ts';
import { startTarget } from '../acceptance/target.ts';
import type { Service, ServiceOptions } from '../service.ts';

/** The owner of what was opened, which closes it: a test or a suite. */
export interface Scope {
  after(close: () => unknown): void;
}

export const PASSWORD = 'harbour-lantern-quill';

/** A browser on the portal's own pages. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  /** Every Set-Cookie header that came. */
  readonly setCookies: string[];
  send(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
}

export interface PortalRig {
  readonly service: Service;
  /** A visitor of this service, or of another node of it. */
  visitor(at?: Service): Visitor;
  /** The newest set-up link's token, as it was printed. */
  setupToken(): string;
  /** Sets the portal up, and returns its first owner, signed in. */
  setUp(): Promise<Visitor>;
  /** Invites somebody as the owner and accepts; returns them, signed in. */
  join(owner: Visitor, role: string, email: string): Promise<Visitor>;
}

export const OWNER = 'owner@example.com';
const LINK = /\/portal\/setup#([\w-]{43})\s/;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

export async function startPortal(scope: Scope, options: ServiceOptions = {}): Promise<PortalRig> {
  const service = await startTarget({ ...options, withoutKeys: true });
  scope.after(() => service[Symbol.asyncDispose]());
  return openPortal(scope, service);
}

/** The portal of a running service that has no owner yet. */
export async function openPortal(scope: Scope, service: Service): Promise<PortalRig> {
  // It is printed after the line that says that the service is ready.
  const printed = await eventually(async () => LINK.exec(service.logs())?.[1]);
  if (printed === undefined) throw new Error(`no set-up link:\n${service.logs()}`);

  function visitor({ baseUrl, ca } = service): Visitor {
    const client = createClient({ baseUrl, ca, key: '' });
    scope.after(() => client.close());
    const cookies = new Map<string, string>();
    const setCookies: string[] = [];
    const send: Visitor['send'] = async (method, path, body, { headers, ...rest } = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await client.send(method, path, body, {
        key: null,
        ...rest,
        headers: { ...SAME_ORIGIN, ...(cookie === '' ? {} : { cookie }), ...headers },
      });
      for (const line of answer.headers['set-cookie'] ?? []) {
        setCookies.push(line);
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0\b/.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    };
    return {
      cookies,
      setCookies,
      send,
      get: (path) => send('GET', path),
      post: (path, body, options) => send('POST', path, body, options),
    };
  }

  const setupToken = () => service.logs().split(LINK).at(-2) ?? '';

  return {
    service,
    visitor,
    setupToken,
    async setUp() {
      const owner = visitor();
      const body = { token: setupToken(), name: 'Olive Owner', email: OWNER, password: PASSWORD };
      const answer = await owner.post('/portal/api/setup', body);
      if (answer.status !== 204) throw new Error(`set-up answered ${answer.status}: ${answer.text}`);
      return owner;
    },
    async join(owner, role, email) {
      const { id } = await firstAccount(owner);
      const invited = await owner.post(`/portal/api/accounts/${id}/invitations`, { email, role });
      const token = read<{ link: string }>(invited).link.split('#')[1];
      const guest = visitor();
      const body = { token, name: email.split('@')[0], password: PASSWORD };
      const accepted = await guest.post('/portal/api/invitations/accept', body);
      if (accepted.status !== 200) throw new Error(`accepting answered ${accepted.status}: ${accepted.text}`);
      return guest;
    },
  };
}

export interface Me {
  readonly id: string;
  readonly email: string;
  readonly totp: boolean;
  readonly recovery_codes_left: number;
  readonly passkeys: readonly { readonly id: string; readonly name: string }[];
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly role: string }[];
}

/** The JSON of an answer, which must have some. */
export function read<T>(answer: Answer): T {
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text);
}

export const readMe = async (visitor: Visitor): Promise<Me> => read<Me>(await visitor.get('/portal/api/me'));

export async function firstAccount(visitor: Visitor): Promise<Me['accounts'][number]> {
  const [account] = (await readMe(visitor)).accounts;
  if (account === undefined) throw new Error('a member of no account');
  return account;
}

/** Makes everybody's last proof of identity older; for a service with the embedded store. */
export function ageProofs({ dataDir }: Service, minutes: number): void {
  const database = new DatabaseSync(join(dataDir, 'countersign.db'), { timeout: 5_000 });
  database.prepare('UPDATE session SET proven_at = proven_at - ?').run(minutes * 60_000);
  database.close();
}
