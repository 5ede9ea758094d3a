/**
 * An OpenID Connect provider (Core 1.0): code flow with PKCE, state and nonce. oauth4webapi does the protocol's checks. The
 * signature of every ID token is checked too, although TLS to the provider would do (Core, section 3.1.3.7, point 6).
 */
import type * as OAuth from 'oauth4webapi';
import type { Clock } from '../../core/seams/clock.ts';
import { fetchBounded } from './bounded-fetch.ts';
import { describeFault, type SignOnFault } from './fault.ts';
import type { Flow } from './flow.ts';

/** As configured; `config/table/portal-options.ts` says more. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined;
  readonly label?: string | undefined;
  readonly scopes: readonly string[];
  readonly verifiedClaim: string;
  readonly newcomers: readonly NewcomerRule[];
}

/** Admits people with an address in these domains to the account of that name. */
export interface NewcomerRule {
  readonly domains: readonly string[];
  readonly account: string;
  readonly role: 'viewer' | 'developer';
}

/** Who signs in, according to the provider. */
export interface Identity {
  readonly issuer: string;
  /** Identifies them at the issuer permanently (Core, section 2). */
  readonly subject: string;
  /** In lower case; undefined unless the provider says that it has verified it. */
  readonly email: string | undefined;
  readonly name: string | undefined;
}

export type Started = { readonly kind: 'started'; readonly url: string } | SignOnFault;
export type Finished = { readonly kind: 'finished'; readonly identity: Identity } | SignOnFault;

type Library = typeof OAuth;

/** Loaded for the first sign-in, so that the start does not wait for it. */
const loadLibrary = (): Promise<Library> => import('oauth4webapi');

const METADATA_MS = 3_600_000;
/** How often unknown keys may make it ask the provider again, in ms. */
const RENEW_MS = 10_000;
const LEEWAY_SECONDS = 60;
const MAX_SUBJECT = 255;

/**
 * One `@`, and only ASCII: some other letters become ASCII in lower case, and so someone else's address.
 */
const ADDRESS = /^[!-?A-~]{1,64}@[!-?A-~]{1,189}$/;

export class Provider {
  readonly name: string;
  readonly label: string;
  readonly #clock: Clock;
  readonly #options: ProviderOptions;
  #metadata: { readonly found: Promise<OAuth.AuthorizationServer>; readonly until: number } | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, name: string, options: ProviderOptions) {
    this.#clock = clock;
    this.name = name;
    this.label = options.label ?? name;
    this.#options = options;
  }

  get newcomers(): readonly NewcomerRule[] {
    return this.#options.newcomers;
  }

  /** The URL where the browser goes to sign in. */
  async start({ state, nonce, verifier, redirectUri }: Flow): Promise<Started> {
    const { clientId, scopes } = this.#options;
    try {
      const { calculatePKCECodeChallenge } = await loadLibrary();
      const { authorization_endpoint: endpoint } = await this.#discover();
      if (endpoint === undefined) return { kind: 'invalid', reason: 'no authorization_endpoint' };
      const url = new URL(endpoint);
      if (url.protocol !== 'https:' && !this.#isInsecure())
        return { kind: 'invalid', reason: 'insecure endpoint' };
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { kind: 'started', url: url.href };
    } catch (error) {
      return describeFault(error);
    }
  }

  /** Redeems what the browser brought back. The flow must be marked as used before. */
  async finish(flow: Flow, parameters: URLSearchParams): Promise<Finished> {
    try {
      return await this.#redeem(await loadLibrary(), flow, parameters);
    } catch (error) {
      return describeFault(error);
    }
  }

  /** Whether the provider answers, for people on the command line. */
  async check(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    try {
      const { issuer } = await this.#discover();
      return { ok: true, detail: `${issuer} answers` };
    } catch (error) {
      return { ok: false, detail: describeFault(error).reason };
    }
  }

  async #redeem(library: Library, flow: Flow, parameters: URLSearchParams): Promise<Finished> {
    const server = await this.#discover();
    const client = { client_id: this.#options.clientId, [library.clockTolerance]: LEEWAY_SECONDS };
    const options = this.#request(library);
    const checked = library.validateAuthResponse(server, client, parameters, flow.state);
    const response = await library.authorizationCodeGrantRequest(
      server,
      client,
      this.#authenticate(library, server),
      checked,
      flow.redirectUri,
      flow.verifier,
      options,
    );
    const expected = { expectedNonce: flow.nonce, requireIdToken: true };
    const tokens = await library.processAuthorizationCodeResponse(server, client, response, expected);
    await this.#checkSignature(library, server, response);
    const claims = library.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw new Error('a token response without claims passed the checks');
    const { iss: issuer, sub: subject } = claims;
    if (subject.length > MAX_SUBJECT) return { kind: 'invalid', reason: '"sub" is too long' };
    // Many providers put the address into the ID token; some have it only at UserInfo.
    if (claims.email !== undefined || server.userinfo_endpoint === undefined) {
      return { kind: 'finished', identity: { issuer, subject, ...this.#describe(claims) } };
    }
    const asked = await library.userInfoRequest(server, client, tokens.access_token, options);
    const info = await library.processUserInfoResponse(server, client, subject, asked);
    return { kind: 'finished', identity: { issuer, subject, ...this.#describe(info) } };
  }

  #describe(claims: Readonly<Record<string, unknown>>): Pick<Identity, 'email' | 'name'> {
    const { email, name } = claims;
    const verified = claims[this.#options.verifiedClaim];
    // Some providers write it as a string or a number.
    const isVerified = verified === true || verified === 'true' || verified === 1 || verified === '1';
    return {
      email: isVerified && typeof email === 'string' && ADDRESS.test(email) ? email.toLowerCase() : undefined,
      name: typeof name === 'string' ? name : undefined,
    };
  }

  #authenticate(library: Library, server: OAuth.AuthorizationServer): OAuth.ClientAuth {
    const { clientSecret } = this.#options;
    if (clientSecret === undefined) return library.None();
    // The default if a provider names none (Discovery 1.0, section 3).
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret);
  }

  /** An unknown key may be new: then the provider is asked again, once. */
  async #checkSignature(
    library: Library,
    server: OAuth.AuthorizationServer,
    response: Response,
  ): Promise<void> {
    const options = this.#request(library);
    try {
      await library.validateApplicationLevelSignature(server, response, options);
    } catch (error) {
      const isUnknown =
        error instanceof library.OperationProcessingError && error.code === library.KEY_SELECTION;
      if (!isUnknown || this.#clock.steady() - this.#renewedAt < RENEW_MS) throw error;
      this.#renewedAt = this.#clock.steady();
      this.#metadata = undefined;
      await library.validateApplicationLevelSignature(await this.#discover(), response, options);
    }
  }

  /** The discovery document, kept for an hour. The library keeps the keys for five minutes. */
  #discover(): Promise<OAuth.AuthorizationServer> {
    const now = this.#clock.steady();
    if (this.#metadata !== undefined && now < this.#metadata.until) return this.#metadata.found;
    const metadata = { found: this.#fetchMetadata(), until: now + METADATA_MS };
    this.#metadata = metadata;
    metadata.found.catch(() => {
      // The next sign-in asks again.
      if (this.#metadata === metadata) this.#metadata = undefined;
    });
    return metadata.found;
  }

  async #fetchMetadata(): Promise<OAuth.AuthorizationServer> {
    const library = await loadLibrary();
    const issuer = new URL(this.#options.issuer);
    const response = await library.discoveryRequest(issuer, { ...this.#request(library), algorithm: 'oidc' });
    return library.processDiscoveryResponse(issuer, response);
  }

  #request(library: Library) {
    const ask = (url: string, init: Parameters<typeof fetchBounded>[2]) =>
      fetchBounded(this.#clock, url, init);
    return { [library.customFetch]: ask, [library.allowInsecureRequests]: this.#isInsecure() };
  }

  /** The configuration allows `http` only on this machine. */
  #isInsecure(): boolean {
    return this.#options.issuer.startsWith('http:');
  }
}
