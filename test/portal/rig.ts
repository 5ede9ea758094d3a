/** The portal as a browser sees it: a separate service, and visitors who keep their cookies. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
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
  /** Of everybody's e-mail addresses. */
  readonly domain: string;
  /** The address of the owner that `setUp` makes. */
  readonly owner: string;
  /** A visitor of this service, or of another node of it. */
  visitor(at?: Service): Visitor;
  /** The newest set-up link's token, as it was printed. */
  setupToken(): string;
  /** Sets the portal up, and returns its first owner, signed in. */
  setUp(): Promise<Visitor>;
  /** Invites somebody as the owner and accepts; returns them, signed in. */
  join(owner: Visitor, role: string, email: string): Promise<Visitor>;
}

const DOMAIN = 'example.com';
const NAME = 'Olive Owner';
export const OWNER = `owner@${DOMAIN}`;
const LINK = /\/portal\/setup#([\w-]{43})\s/;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

export async function startPortal(scope: Scope, options: ServiceOptions = {}): Promise<PortalRig> {
  const service = await startTarget({ ...options, withoutKeys: true });
  scope.after(() => service[Symbol.asyncDispose]());
  return openPortal(scope, service);
}

/**
 * One portal for tests that need no installation of their own, only an account with its people: `setUp` makes an
 * account that nobody else is in, and its owner. The service starts for the first test, and ends with the file.
 *
 * What all have in common: the names of accounts, and of an address twenty wrong passwords. Visitors may come `from`
 * another address of this machine (IPv4).
 */
export function sharePortal(
  options: ServiceOptions = {},
): (scope: Scope, from?: string) => Promise<PortalRig> {
  const parts = new AsyncDisposableStack();
  after(() => parts.disposeAsync());
  const open = async () => {
    const portal = await startPortal(
      { after: (close) => parts.defer(async () => void (await close())) },
      options,
    );
    return { portal, founder: await portal.setUp() };
  };
  let opened: ReturnType<typeof open> | undefined;
  let places = 0;

  return async (scope, from) => {
    opened ??= open();
    const { portal, founder } = await opened;
    const domain = `place${++places}.${DOMAIN}`;
    const owner = `owner@${domain}`;
    // Written in small letters, as that of a new installation: it comes after `Other`.
    const name = `default ${places}`;
    const { visitor, join: invite } = openRig(scope, portal.service, from);
    return {
      ...portal,
      domain,
      owner,
      visitor,
      join: invite,
      async setUp() {
        const { id } = read<{ id: string }>(await founder.post('/portal/api/accounts', { name }));
        const visitor = await invite(founder, 'owner', owner, { name: NAME, account: id });
        const left = await founder.send(
          'DELETE',
          `/portal/api/accounts/${id}/members/${(await readMe(founder)).id}`,
        );
        if (left.status !== 204) throw new Error(`leaving answered ${left.status}: ${left.text}`);
        return visitor;
      },
    };
  };
}

/** The portal of a running service that has no owner yet. */
export async function openPortal(scope: Scope, service: Service): Promise<PortalRig> {
  // It is printed after the line that says that the service is ready.
  const printed = await eventually(async () => LINK.exec(service.logs())?.[1]);
  if (printed === undefined) throw new Error(`no set-up link:\n${service.logs()}`);

  const setupToken = () => service.logs().split(LINK).at(-2) ?? '';
  const { visitor, join } = openRig(scope, service);

  return {
    service,
    domain: DOMAIN,
    owner: OWNER,
    visitor,
    setupToken,
    async setUp() {
      const owner = visitor();
      const body = { token: setupToken(), name: NAME, email: OWNER, password: PASSWORD };
      const answer = await owner.post('/portal/api/setup', body);
      if (answer.status !== 204) throw new Error(`set-up answered ${answer.status}: ${answer.text}`);
      return owner;
    },
    join,
  };
}

/** Who comes to a service; they leave at the end of the scope. */
function openRig(scope: Scope, service: Service, from?: string) {
  function visitor({ baseUrl, ca } = service): Visitor {
    const client = createClient({ baseUrl, ca, key: '', from });
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

  async function join(
    owner: Visitor,
    role: string,
    email: string,
    {
      name = email.split('@')[0],
      account,
    }: { readonly name?: string | undefined; readonly account?: string } = {},
  ): Promise<Visitor> {
    const id = account ?? (await firstAccount(owner)).id;
    const invited = await owner.post(`/portal/api/accounts/${id}/invitations`, { email, role });
    const token = read<{ link: string }>(invited).link.split('#')[1];
    const guest = visitor();
    const accepted = await guest.post('/portal/api/invitations/accept', { token, name, password: PASSWORD });
    if (accepted.status !== 200) throw new Error(`accepting answered ${accepted.status}: ${accepted.text}`);
    return guest;
  }

  return { visitor, join };
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

/** The log with all lines until now: they are written in batches, and that of a request follows its answer. */
export async function logOf(service: Pick<Service, 'client' | 'logs'>): Promise<string> {
  const { json } = await service.client.get('/nowhere', { key: null });
  const id = json.instance?.replace('urn:uuid:', '') ?? 'no request';
  if (await eventually(async () => service.logs().includes(id) || undefined)) return service.logs();
  throw new Error(`the log does not have its newest request:\n${service.logs()}`);
}

/** In SQL: only the sessions of the people of a domain. */
export const OF_DOMAIN = "WHERE person_id IN (SELECT id FROM person WHERE email LIKE '%@' || ?)";

/** Makes everybody's last proof of identity older; for a service with the embedded store. */
export function ageProofs({ service, domain }: PortalRig, minutes: number): void {
  const database = new DatabaseSync(join(service.dataDir, 'countersign.db'), { timeout: 5_000 });
  const sql = `UPDATE session SET proven_at = proven_at - ? ${OF_DOMAIN}`;
  database.prepare(sql).run(minutes * 60_000, domain);
  database.close();
}
