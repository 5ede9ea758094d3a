/** The lookup's routes on a real store, with hooks that believe any claimed identity. */
import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import pino from 'pino';
import { inForce } from '../../../src/core/alerts/rule.ts';
import { parseDestination, restoreDestination } from '../../../src/core/destination/destination.ts';
import { composeMessage } from '../../../src/core/message/message.ts';
import { SYSTEM_CLOCK } from '../../../src/core/seams/clock.ts';
import { Keyring } from '../../../src/core/secrets/keyring.ts';
import { openField, sealField } from '../../../src/core/secrets/sealed-field.ts';
import type { OutgoingMessage } from '../../../src/core/sending/carrier.ts';
import type { SealedMessage } from '../../../src/core/sending/delivery.ts';
import type { Records, RecordsAnswer, Step } from '../../../src/core/sql/records.ts';
import { PLAIN_LIMITS } from '../../../src/core/verification/fixture.ts';
import type { NewVerification } from '../../../src/core/verification/verification.ts';
import type { RequestHook } from '../../../src/http/admission/authentication.ts';
import { registerErrors } from '../../../src/http/errors.ts';
import { compileSchemasWhenUsed } from '../../../src/http/lazy-schemas.ts';
import { sendProblem } from '../../../src/http/problem.ts';
import { decorateRequests } from '../../../src/http/request.ts';
import { acceptOnlyJson } from '../../../src/http/validation.ts';
import { createAccess, type HookFor } from '../../../src/identity/access.ts';
import { createPasswords, type Passwords } from '../../../src/identity/sign-in/passwords.ts';
import type { Portal } from '../../../src/portal/deps.ts';
import { createLookup, type LookupDeps } from '../../../src/portal/lookup.ts';
import { registerRoutes } from '../../../src/portal/routes.ts';
import type { ServiceDefaults } from '../../../src/portal/settings/settings.ts';
import type { Store } from '../../../src/store/port.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { issueOne, LAX } from '../../store/contract/rig.ts';

export const SECRETS = ['a'.repeat(64), 'b'.repeat(64)] as const;

export interface LookupRig {
  readonly app: FastifyInstance;
  readonly store: Store;
  readonly keyring: Keyring;
  /** Statements of transactions that write: those of the audit log, whose table belongs to the portal. */
  readonly written: Step[];
  /** Every log line. */
  readonly log: string[];
  /** Makes writes to the audit log fail, if set. */
  refuseWrites: Error | undefined;
  /** The role of those who watch a stream, checked again and again. Undefined: as when it began. */
  roleNow: Role | null | undefined;
  /** Issues a verification for a number given in clear. */
  send(
    destination: string,
    wanted?: Partial<NewVerification> & { readonly keyring?: Keyring; readonly code?: string },
  ): Promise<NewVerification>;
  get(
    path: string,
    who?: Who,
  ): Promise<{ status: number; json: never; text: string; headers: Record<string, unknown> }>;
  post(path: string, body: unknown, who?: Who): Promise<{ status: number; json: never; text: string }>;
  listen(): Promise<number>;
}

export interface Who {
  readonly role?: 'viewer' | 'developer' | 'owner';
  /** The accounts that it is a member of. */
  readonly account?: string;
}

/** Nothing here reads the settings. */
const DEFAULTS: ServiceDefaults = {
  code: { length: 6, alphabet: 'digits', validFor: 600_000, guesses: 5 },
  messages: { brand: 'Acme' },
  accountLimits: PLAIN_LIMITS,
  currency: 'EUR',
  guard: { mode: 'enforce' },
  lookups: [],
  channels: [],
  simulated: [],
  reaching: [],
};

const ALERTS: Portal['alerts'] = {
  ...{ hasMail: false, ownPlaces: 0, ownPlacesForAccounts: 0, inForce },
  tryOut: async () => ({ kind: 'sent' }),
};

const RANK = { viewer: 0, developer: 1, owner: 2 } as const;
type Role = keyof typeof RANK;

export const ACCOUNT = 'acc_mine';
export const path = (rest: string, account = ACCOUNT) => `/portal/api/accounts/${account}/${rest}`;

/** With `passwords`, everything is written, and the hooks of the portal ask for sessions. */
export async function openLookup(
  t: TestContext,
  wanted: Partial<LookupDeps> = {},
  passwords?: Passwords,
): Promise<LookupRig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-lookup-'));
  const store = await openSqliteStore({ dataDir, exclusive: true, ...LAX });
  const log: string[] = [];
  const logger = pino({}, { write: (line: string) => log.push(line) });
  const app = fastify({ forceCloseConnections: false });
  t.after(async () => {
    await app.close();
    await store.close();
    await rm(dataDir, { recursive: true });
  });
  compileSchemasWhenUsed(app);
  decorateRequests(app, []);
  acceptOnlyJson(app);
  registerErrors(app, logger);

  const keyring = new Keyring(SECRETS[0]);
  const written: Step[] = [];
  const rig: LookupRig = {
    app,
    store,
    keyring,
    written,
    log,
    refuseWrites: undefined,
    roleNow: undefined,
    send(destination, { keyring: by = keyring, code = '123456', ...given } = {}) {
      const parsed = parseDestination(destination, 'voice');
      if (!parsed.ok) throw new Error(parsed.detail);
      const { address, country } = parsed.destination;
      const { accountId = ACCOUNT, test = false, createdAt = Date.now() } = given;
      const id = `ver_${createdAt.toString(16).padStart(12, '0')}${randomUUIDv7().replaceAll('-', '').slice(12)}`;
      const { current, earlier } = by.destinationHash(accountId, test, address);
      return issueOne(store, {
        ...{ id, accountId, test, country, createdAt },
        destinationHash: current,
        earlierDestinationHashes: earlier,
        destinationSealed: sealField(by, address, id, 'destination'),
        codeSealed: sealField(by, code, id, 'code'),
        ...given,
      });
    },
    async get(url, who = {}) {
      const { statusCode, body, headers } = await app.inject({ url, headers: headersOf(who) });
      return { status: statusCode, headers, text: body, json: parse(body) };
    },
    async post(url, payload, who = {}) {
      const headers = { ...headersOf(who), 'content-type': 'application/json' };
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url,
        headers,
        payload: JSON.stringify(payload),
      });
      return { status: statusCode, text: body, json: parse(body) };
    },
    async listen() {
      await app.listen({ port: 0, host: '127.0.0.1' });
      return (app.server.address() as AddressInfo).port;
    },
  };

  const records: Records = {
    random: store.random,
    keysRevision: store.keysRevision,
    async transact(steps): Promise<RecordsAnswer> {
      if (steps.every((step) => 'sql' in step && step.sql.startsWith('SELECT'))) return store.transact(steps);
      if (rig.refuseWrites !== undefined) throw rig.refuseWrites;
      written.push(...steps);
      return { done: true, rows: [] };
    },
  };
  const lookup = createLookup({
    clock: SYSTEM_CLOCK,
    archive: store,
    history: store,
    inbox: store,
    tallies: store,
    states: store,
    records,
    keyring,
    guesses: 5,
    currency: 'EUR',
    carriers: () => [
      { name: 'simulator', type: 'simulator' },
      { name: 'smsc', type: 'smpp' },
    ],
    budgets: store,
    alerts: ALERTS,
    current: {
      last: undefined,
      get generation(): never {
        throw new Error('what is in effect needs a whole service');
      },
    },
    open: (sealed) => openMessage(keyring, sealed),
    onError: (error) => logger.error({ error: String(error) }),
    roleNow: async ({ headers }) => (rig.roleNow === undefined ? (headers['x-role'] as Role) : rig.roleNow),
    ...wanted,
  });
  app.addHook('preClose', (done) => {
    lookup.handsets.close();
    done();
  });
  const portal: Portal = {
    clock: SYSTEM_CLOCK,
    records: passwords === undefined ? records : store,
    keyring,
    lookup,
    passwords: passwords ?? createPasswords(),
    defaults: DEFAULTS,
    installation: { oidc: [], own_certificate: false },
    isDemo: false,
    providers: [],
    privateNetworks: [],
    alerts: ALERTS,
    feedback: { byMember: async () => ({ kind: 'unknown' }) },
    get configuration(): never {
      throw new Error('what is in effect needs a whole service');
    },
    log: logger,
  };
  const hookFor =
    passwords === undefined
      ? createHooks(app, records)
      : createAccess(app, { clock: SYSTEM_CLOCK, records: store });
  registerRoutes(app, portal, hookFor);
  return rig;
}

function openMessage(keyring: Keyring, sealed: SealedMessage): OutgoingMessage {
  const { id, accountId, test, channel, country, destinationSealed, codeSealed, expiresAt } = sealed;
  const destination = restoreDestination(openField(keyring, destinationSealed, id, 'destination'), country);
  const code = openField(keyring, codeSealed, id, 'code');
  const { text, locale } = composeMessage(
    { brand: 'Acme', locale: 'en' },
    { code, country, channel, validForMs: expiresAt - sealed.createdAt },
  );
  return { id, accountId, test, channel, destination, code, text, locale, expiresAt };
}

function headersOf({ role = 'viewer', account = ACCOUNT }: Who): Record<string, string> {
  return { 'x-role': role, 'x-account': account };
}

function parse(body: string): never {
  return (body.startsWith('{') || body.startsWith('[') ? JSON.parse(body) : undefined) as never;
}

function createHooks(app: FastifyInstance, records: Records): HookFor {
  app.decorateRequest('member', null);
  const atLeast =
    (least: Role): RequestHook =>
    (request, reply, done) => {
      const { account } = request.params as { account?: string };
      const role = request.headers['x-role'] as Role;
      if (account !== request.headers['x-account']) return void sendProblem(reply, 'not-found');
      // The real hook answers `forbidden`; here any refusal will do.
      if (RANK[role] < RANK[least]) return void reply.code(403).send();
      request.member = {
        personId: 'per_1',
        name: 'Ada',
        accountId: account ?? '',
        role,
        address: '192.0.2.7',
        records,
      };
      done();
    };
  return ({ who }) => atLeast(who === 'anybody' || who === 'signed-in' ? 'viewer' : who);
}
