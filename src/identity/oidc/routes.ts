/** /portal/api/oidc: single sign-on. Browsers follow these addresses; errors are shown on the sign-in page. */
import Type from 'typebox';
import { refuse } from '../../operations/refusal.ts';
import { readCookie, setCookie } from '../cookie.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityOperation } from '../operation.ts';
import { ownOrigin } from '../origin.ts';
import { ofSource, returnGuess, takeGuess } from '../sign-in/throttle.ts';
import { admit } from './admission.ts';
import type { SingleSignOnFault } from './contract.ts';
import { beginFlow, FLOW_SECONDS, openFlow, sealFlow, useFlow } from './flow.ts';

/** Binds a provider's answer to the browser that asked. Lax, because the answer is a navigation from the provider's site. */
const FLOW_COOKIE = '__Host-countersign-oidc';

const ProviderName = Type.String({ maxLength: 32 });

/** Where the browser goes instead. `reason` is for the operator. */
function backToSignIn(
  { log }: IdentityDeps,
  provider: string,
  fault: SingleSignOnFault,
  reason?: string,
): string {
  log.warn({ provider, fault, reason }, 'single sign-on refused');
  return `/portal/sign-in?sso=${fault}`;
}

const Elsewhere = Type.Null({ description: 'To the provider, to the portal, or back to the sign-in page.' });

export const singleSignOn = {
  beginSingleSignOn: identityOperation({
    summary: 'Start to sign in at a provider',
    description: 'For browsers: redirects to the provider.',
    params: { name: ProviderName },
    response: { 303: Elsewhere },
    problems: ['not-found'],
    handler: async (request, deps, reply) => {
      const provider = deps.providers.find(({ name }) => name === request.params.name);
      if (provider === undefined) return refuse('not-found');
      const { name } = provider;
      // The Host header comes from the browser; the provider checks it against the registered addresses.
      const { clock, records } = deps;
      const back = `${ownOrigin(request)}/portal/api/oidc/${name}/callback`;
      const flow = beginFlow(records, back, clock.wall());
      const started = await provider.start(flow);
      if (started.kind !== 'started') return backToSignIn(deps, name, started.kind, started.reason);
      setCookie(reply, FLOW_COOKIE, sealFlow(deps.keyring, name, flow), FLOW_SECONDS);
      return started.url;
    },
  }),

  finishSingleSignOn: identityOperation({
    summary: 'Return from a provider',
    description: 'For browsers: the provider sends them here with `code` and `state`.',
    params: { name: ProviderName },
    response: { 303: Elsewhere },
    exposeHeadRoute: false,
    problems: ['not-found', 'unavailable'],
    handler: async (request, deps, reply) => {
      const { clock, records, keyring } = deps;
      const provider = deps.providers.find(({ name }) => name === request.params.name);
      if (provider === undefined) return refuse('not-found');
      const { name } = provider;
      const now = clock.wall();
      const { searchParams } = new URL(request.url, 'https://localhost');
      const flow = openFlow(keyring, name, readCookie(request, FLOW_COOKIE) ?? '', now);
      if (flow === undefined || searchParams.get('state') !== flow.state)
        return backToSignIn(deps, name, 'restart');
      // Only what began here counts: any page can make a browser ask for this address.
      const source = ofSource(request.clientAddress, 'oidc');
      const admission = await takeGuess(records, [source], now);
      if (!admission.ok) return backToSignIn(deps, name, 'limited');
      setCookie(reply, FLOW_COOKIE, '', 0);
      // Before the code is redeemed, so that only one of two concurrent requests goes on.
      const used = await records.transact([useFlow(flow)]);
      if (!used.done) return backToSignIn(deps, name, 'restart');
      const finished = await provider.finish(flow, searchParams);
      if (finished.kind !== 'finished') return backToSignIn(deps, name, finished.kind, finished.reason);
      const outcome = await admit(deps, request, provider, finished.identity);
      if (outcome.kind !== 'admitted') return backToSignIn(deps, name, outcome.kind);
      await records.transact([returnGuess(source)]);
      outcome.session.hand(reply);
      return outcome.anew ? '/portal/me?sso=anew' : '/portal/';
    },
  }),
};
