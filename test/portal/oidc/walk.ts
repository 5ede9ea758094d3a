/** A browser's way through single sign-on: from the portal to the provider and back. */
import { after } from 'node:test';
import { type PortalRig, type Scope, sharePortal, startPortal, type Visitor } from '../rig.ts';
import { CLIENT_ID, CLIENT_SECRET } from './client.ts';
import { type RealProvider, startProvider } from './provider.ts';

export interface SingleSignOn extends PortalRig {
  readonly provider: RealProvider;
}

/** A portal with the provider `sso`; `options` go into its configuration. */
export async function startSingleSignOn(
  scope: Scope,
  {
    provider: of = {},
    options = {},
    client = {},
  }: {
    readonly provider?: Record<string, unknown>;
    readonly options?: Record<string, unknown>;
    readonly client?: Record<string, unknown>;
  } = {},
): Promise<SingleSignOn> {
  const provider = await startProvider(scope, of);
  const rig = await startPortal(scope, configure(provider, options));
  provider.register([callbackOf(rig.service.baseUrl)], client);
  return { ...rig, provider };
}

/** One such portal for tests that need only an account there, as `sharePortal` makes them; it ends with the file. */
export async function shareSingleSignOn(
  options: Record<string, unknown> = {},
): Promise<(scope: Scope, from?: string) => Promise<SingleSignOn>> {
  const provider = await startProvider({ after });
  const openPlace = sharePortal(configure(provider, options));
  let isRegistered = false;
  return async (scope, from) => {
    const rig = await openPlace(scope, from);
    if (!isRegistered) provider.register([callbackOf(rig.service.baseUrl)]);
    isRegistered = true;
    return { ...rig, provider };
  };
}

function configure({ issuer }: RealProvider, options: Record<string, unknown>) {
  const sso = { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, ...options };
  return { config: { portal: { oidc: { sso } } } };
}

export const callbackOf = (baseUrl: string): string => `${baseUrl}/portal/api/oidc/sso/callback`;

/** Where somebody arrives whose password has ended, because a provider has proven their address. */
export const ANEW = '/portal/me?sso=anew';
export const refused = (fault: string): string => `/portal/sign-in?sso=${fault}`;

/** Where an answer sends the browser. */
export function locationOf({
  status,
  headers,
}: {
  readonly status: number;
  readonly headers: { readonly location?: string | undefined };
}): string {
  if (status !== 303 || headers.location === undefined) throw new Error(`answered ${status}, not a redirect`);
  return headers.location;
}

/** From the portal's button to the provider; returns the address there. */
export async function begin(visitor: Visitor): Promise<string> {
  return locationOf(await visitor.get('/portal/api/oidc/sso'));
}

/** At the provider; returns the path and query with which it sends the browser back to us. */
export async function signInThere(address: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  const { host } = url;
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
    if (url.host !== host) return url.pathname + url.search;
  }
  throw new Error('the provider redirects for ever');
}

/** The whole way; returns where the portal sends the browser in the end. */
export async function walk(visitor: Visitor): Promise<string> {
  return finish(visitor, await signInThere(await begin(visitor)));
}

/** A navigation from the provider's site, as browsers mark it. */
export async function finish(visitor: Pick<Visitor, 'send'>, path: string): Promise<string> {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  return locationOf(await visitor.send('GET', path, undefined, { headers }));
}
