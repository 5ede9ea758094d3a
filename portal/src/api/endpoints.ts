/**
 * Every call of the portal's API, typed by the server's own table: a route that is not there, or a wrong body, does not compile. Only
 * tsc knows the short name, so no code of the server can get into the bundle by it.
 */
import type { PortalApi } from '#api';

export type EndpointName = keyof PortalApi;
export type Question = Extract<EndpointName, `GET ${string}`>;
export type Action = Exclude<EndpointName, Question>;

export type AnswerOf<N extends EndpointName> = PortalApi[N]['answer'];

/** What any call may carry. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** A call that is repeated with the same key is answered again, and done once. */
  readonly idempotencyKey?: string;
}

/** What a call needs besides its name; the account comes from the page. */
export type Input<N extends EndpointName> = Parts &
  ([Exclude<keyof PortalApi[N]['params'], 'account'>] extends [never]
    ? object
    : { params: Omit<PortalApi[N]['params'], 'account'> }) &
  (PortalApi[N]['body'] extends undefined ? object : { body: PortalApi[N]['body'] }) &
  (PortalApi[N]['query'] extends undefined ? object : { query: PortalApi[N]['query'] });
