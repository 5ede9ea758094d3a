/** The web portal's server side: its own JSON API, sessions, and the files of its front end. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { StandingLost } from '../accounts/standing.ts';
import { Outdated } from '../accounts/unchanged.ts';
import type { Channel } from '../core/destination/channel.ts';
import { describeError } from '../core/errors/error-facts.ts';
import type { Clock } from '../core/seams/clock.ts';
import type { Keyring } from '../core/secrets/keyring.ts';
import type { Route } from '../core/sending/routing.ts';
import type { Records } from '../core/sql/records.ts';
import { type DescribedSubject, describeRoutes } from '../http/openapi.ts';
import { sendProblem } from '../http/problem.ts';
import { createAccess } from '../identity/access.ts';
import { readCookie, SESSION_COOKIE } from '../identity/cookie.ts';
import { Provider, type ProviderOptions } from '../identity/oidc/provider.ts';
import { refuseCrossSite } from '../identity/origin.ts';
import { createPasswords } from '../identity/sign-in/passwords.ts';
import { findSession } from '../identity/sign-in/session.ts';
import { type BuildState, findBuildState } from './build-stamp.ts';
import { compressAnswer } from './compression.ts';
import { type ConfigurationPort, createConfigurationReader } from './configuration/configuration-reader.ts';
import type { Portal } from './deps.ts';
import { registerFrontEnd } from './front-end/front-end.ts';
import { SECURITY_HEADERS } from './front-end/security-headers.ts';
import { createLookup, type LookupDeps } from './lookup.ts';
import { registerRoutes } from './routes.ts';
import type { ActiveGeneration, InEffect } from './routing/in-effect.ts';
import type { ServiceDefaults } from './settings/settings.ts';
import { refuseUnstorable } from './unstorable.ts';

const FRONT_END = fileURLToPath(new URL('../../portal/', import.meta.url));

const DOCUMENT: DescribedSubject = {
  path: '/portal/openapi.json',
  title: 'Countersign portal',
  description:
    'What the pages of the portal are made of: signing in, keys, members, settings, figures, verifications.',
  tags: { portal: 'For the portal’s own pages. It may change with every version.' },
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: SESSION_COOKIE,
      description: 'A session of the portal. Changes are accepted only from its own pages.',
    },
  },
};

type PortalStore = Records &
  LookupDeps['archive'] &
  LookupDeps['history'] &
  LookupDeps['tallies'] &
  LookupDeps['states'] &
  LookupDeps['budgets'] &
  LookupDeps['inbox'];

/** What the portal goes by of the service's configuration. */
interface PortalConfig
  extends Omit<ServiceDefaults, 'accountLimits' | 'lookups' | 'channels' | 'simulated' | 'reaching'> {
  /** Single sign-on providers by name. */
  readonly portal: { readonly oidc: Readonly<Record<string, ProviderOptions>> };
  readonly webhooks: { readonly privateNetworks: readonly string[] };
}

interface PortalEffect extends InEffect {
  readonly config: InEffect['config'] & PortalConfig;
}

export interface PortalOptions extends Pick<LookupDeps, 'open'> {
  readonly clock: Clock;
  readonly store: PortalStore;
  readonly keyring: Keyring;
  readonly current: ActiveGeneration<PortalEffect>;
  readonly alerts: Portal['alerts'];
  readonly feedback: Portal['feedback'];
  readonly configuration: ConfigurationPort;
  /** The certificate is self-signed. */
  readonly ownCertificate: boolean;
  readonly isDemo: boolean;
  readonly log: Logger;
}

/** Registers the portal in its own scope, so that its hooks do not slow down other routes. */
export type RegisterPortal = (app: FastifyInstance) => Promise<void>;

export function createPortal({
  clock,
  store,
  keyring,
  current,
  alerts,
  feedback,
  configuration,
  ownCertificate,
  isDemo,
  log,
  open,
}: PortalOptions): RegisterPortal {
  const { config } = current.generation;
  const { currency } = config;
  const carriers = () =>
    Object.entries(current.generation.config.carriers).map(([name, { type }]) => ({ name, type }));
  const passwords = createPasswords();
  const providers = Object.entries(config.portal.oidc).map(
    ([name, options]) => new Provider(clock, name, options),
  );
  const records: Records = store;
  const roleNow: LookupDeps['roleNow'] = async (request) => {
    const { account } = request.params as { account?: string };
    const token = readCookie(request, SESSION_COOKIE) ?? '';
    const session = await findSession(records, token, account, clock.wall());
    return session?.role ?? null;
  };
  const portal: Portal = {
    clock,
    records,
    keyring,
    passwords,
    lookup: createLookup({
      ...{ clock, records, archive: store, history: store, tallies: store, states: store, inbox: store },
      ...{ budgets: store, current, alerts },
      ...{ keyring, roleNow, open, currency, carriers, guesses: config.code.guesses },
      onError: (error) => log.error({ error: describeError(error) }, 'cannot read the handset'),
    }),
    get defaults() {
      const { config, lookups, accountLimits, simulatedRoutes, verifier } = current.generation;
      const simulated = channelsOf([...simulatedRoutes]);
      const reaching = channelsOf(config.routes.filter((route) => !simulatedRoutes.has(route)));
      const about = { lookups: lookups?.all ?? [], channels: verifier.channels, simulated, reaching };
      return { ...config, accountLimits, ...about };
    },
    installation: {
      oidc: providers.map(({ name, label }) => ({ name, label })),
      own_certificate: ownCertificate,
    },
    isDemo,
    providers,
    privateNetworks: config.webhooks.privateNetworks,
    alerts,
    feedback,
    configuration: createConfigurationReader(records, configuration),
    log,
  };
  return async (app) => {
    app.addHook('onRequest', refuseCrossSite);
    refuseUnstorable(app);
    app.addHook('onSend', (_request, reply, _payload, done) => {
      reply.headers(SECURITY_HEADERS);
      done();
    });
    app.addHook('onSend', compressAnswer);
    app.setErrorHandler((error, _request, reply) => {
      if (error instanceof StandingLost) return sendProblem(reply, 'forbidden');
      if (error instanceof Outdated) return sendProblem(reply, 'outdated');
      // The server's own handler answers it.
      throw error;
    });
    app.addHook('preClose', (done) => {
      portal.lookup.handsets.close();
      done();
    });
    await describeRoutes(app, DOCUMENT);
    registerRoutes(app, portal, createAccess(app, portal));
    registerFrontEnd(app, join(FRONT_END, 'dist'));
  };
}

const channelsOf = (routes: readonly Route[]): Channel[] => [
  ...new Set(routes.map(({ channel }) => channel)),
];

/** Whether there is a front end, and whether it is up to date. */
export const findFrontEnd = (): Promise<BuildState> => findBuildState(FRONT_END);

export { openSetup } from '../identity/first-run/setup.ts';
export { scheduleSweep } from './sweep.ts';
