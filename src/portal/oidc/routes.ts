/** /portal/api/oidc: single sign-on. Browsers follow these addresses; errors are shown on the sign-in page. */
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { sendProblem } from '../../http/problem.ts';
import { readCookie, setCookie } from '../cookie.ts';
import type { Portal } from '../deps.ts';
import { operation } from '../operation.ts';
import { ownOrigin } from '../origin.ts';
import { ofSource, returnGuess, takeGuess } from '../sign-in/throttle.ts';
import { admit } from './admission.ts';
import type { SingleSignOnFault } from './contract.ts';
import { beginFlow, FLOW_SECONDS, openFlow, sealFlow, useFlow } from './flow.ts';

/** Binds a provider's answer to the browser that asked. Lax, because the answer is a navigation from the provider's site. */
const FLOW_COOKIE = '__Host-countersign-oidc';

const ProviderPath = Type.Object({ name: Type.String({ maxLength: 32 }) });
/** `reason` is for the operator. */
function refuse(
  { log }: Portal,
  reply: FastifyReply,
  provider: string,
  fault: SingleSignOnFault,
  reason?: string,
) {
  log.warn({ provider, fault, reason }, 'single sign-on refused');
  return reply.redirect(`/portal/sign-in?sso=${fault}`, 303);
}

const Elsewhere = Type.Null({ description: 'To the provider, to the portal, or back to the sign-in page.' });

export const singleSignOn = {
  beginSingleSignOn: operation<{ Params: { name: string } }>({
    summary: 'Start to sign in at a provider',
    description: 'For browsers: redirects to the provider.',
    params: ProviderPath,
    response: { 303: Elsewhere },
    problems: ['not-found'],
    handler: async (request, reply, portal) => {
      const provider = portal.providers.find(({ name }) => name === request.params.name);
      if (provider === undefined) return sendProblem(reply, 'not-found');
      const { name } = provider;
      // The Host header comes from the browser; the provider checks it against the registered addresses.
      const { clock, records } = portal;
      const back = `${ownOrigin(request)}/portal/api/oidc/${name}/callback`;
      const flow = beginFlow(records, back, clock.wall());
      const started = await provider.start(flow);
      if (started.kind !== 'started') return refuse(portal, reply, name, started.kind, started.reason);
      setCookie(reply, FLOW_COOKIE, sealFlow(portal.keyring, name, flow), FLOW_SECONDS);
      return reply.redirect(started.url, 303);
    },
  }),

  finishSingleSignOn: operation<{ Params: { name: string } }>({
    summary: 'Return from a provider',
    description: 'For browsers: the provider sends them here with `code` and `state`.',
    params: ProviderPath,
    response: { 303: Elsewhere },
    exposeHeadRoute: false,
    problems: ['not-found', 'unavailable'],
    handler: async (request, reply, portal) => {
      const { clock, records, keyring } = portal;
      const provider = portal.providers.find(({ name }) => name === request.params.name);
      if (provider === undefined) return sendProblem(reply, 'not-found');
      const { name } = provider;
      const now = clock.wall();
      const { searchParams } = new URL(request.url, 'https://localhost');
      const flow = openFlow(keyring, name, readCookie(request, FLOW_COOKIE) ?? '', now);
      if (flow === undefined || searchParams.get('state') !== flow.state)
        return refuse(portal, reply, name, 'restart');
      // Only what began here counts: any page can make a browser ask for this address.
      const source = ofSource(request.clientAddress, 'oidc');
      const admission = await takeGuess(records, [source], now);
      if (!admission.ok) return refuse(portal, reply, name, 'limited');
      setCookie(reply, FLOW_COOKIE, '', 0);
      // Before the code is redeemed, so that only one of two concurrent requests goes on.
      const used = await records.transact([useFlow(flow)]);
      if (!used.done) return refuse(portal, reply, name, 'restart');
      const finished = await provider.finish(flow, searchParams);
      if (finished.kind !== 'finished') return refuse(portal, reply, name, finished.kind, finished.reason);
      const outcome = await admit(portal, request, provider, finished.identity);
      if (outcome.kind !== 'admitted') return refuse(portal, reply, name, outcome.kind);
      await records.transact([returnGuess(source)]);
      outcome.session.hand(reply);
      return reply.redirect('/portal/', 303);
    },
  }),
};
