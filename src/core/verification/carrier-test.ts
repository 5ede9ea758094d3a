/**
 * A test of one carrier: a message as any other, which an owner sends to see what becomes of it. No key asks for it, so it counts
 * in no figure but the cost; nobody can confirm its code; and it is asked for once, of this carrier only.
 */
import type { RouteFinder } from '../sending/routing.ts';
import type { Caller, RequestAnswer, VerificationRequest } from './request.ts';

/** In place of the id of a key. No key has it. */
export const NO_KEY = 'none';

export interface CarrierTest {
  /** Of its verification, as `mintVerificationId` makes it. */
  readonly id: string;
  readonly carrier: string;
}

export interface CarrierTester {
  /** Sends it, or says why not, as for a request over a route. Rejects as `VerifierPort.request` does. */
  test(
    caller: Caller,
    request: Pick<VerificationRequest, 'destination' | 'channel'>,
    test: CarrierTest,
  ): Promise<RequestAnswer>;
}

/**
 * Leads to one carrier, where a route serves the destination: it counts for that route's budgets. The carrier need not be in the
 * route, so that it can be tested before it is, except for a SIP URI. That names a host, and who configured the routes decided
 * which carrier may call hosts.
 */
export const routesOver =
  (carrier: string, findRoute: RouteFinder): RouteFinder =>
  (channel, destination) => {
    const found = findRoute(channel, destination);
    if (!found.ok) return found;
    const { countries, prefixes, carriers } = found.route;
    if (destination.kind === 'sip' && !carriers.includes(carrier)) {
      const detail = 'No route leads to this SIP address over this carrier.';
      return { ok: false, field: 'destination', code: 'no_route', detail };
    }
    const served = { ...(countries && { countries }), ...(prefixes && { prefixes }) };
    return { ok: true, route: { channel, ...served, carriers: [carrier] } };
  };
