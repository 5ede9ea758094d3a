/** The options of a client, checked once. */

/** What the client needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CountersignOptions {
  /** `csk_live_...` or `csk_test_...`. It belongs on a server, never in a browser. */
  readonly apiKey: string;
  /** Where the service is, such as `https://countersign.example.com`. */
  readonly baseUrl: string;
  /** In place of the global one, for example to trust a certificate of your own. */
  readonly fetch?: Fetch | undefined;
  /** How long each try may take, in milliseconds. 10,000 by default. */
  readonly timeout?: number | undefined;
  /** How often a request is repeated that failed. 2 by default. */
  readonly maxRetries?: number | undefined;
  /** @internal */
  readonly platform?: Platform | undefined;
}

/** What it needs of where it runs, beside `fetch`: the global object, or that of a simulated world. @internal */
export interface Platform {
  readonly Date: { now(): number };
  readonly Math: { random(): number };
  setTimeout(call: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** @internal */
export type Settings = {
  readonly [name in keyof CountersignOptions]-?: NonNullable<CountersignOptions[name]>;
};

/** See "API keys" in docs/api.md of the service. */
const API_KEY = /^csk_(live|test)_[0-9A-Za-z]{36}$/;
/** More and `setTimeout` would not wait at all. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const MOST_RETRIES = 10;

/** @internal */
export function checkOptions(options: CountersignOptions): Settings {
  const { apiKey, baseUrl, timeout = 10_000, maxRetries = 2, platform = globalThis } = options;
  // Called as a plain function: some platforms refuse a `fetch` that is called as a method of something else.
  const { fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init) } = options;
  requireOption(
    typeof apiKey === 'string' && API_KEY.test(apiKey),
    'apiKey',
    'a key such as csk_live_... or csk_test_...',
  );
  requireOption(
    isBaseUrl(baseUrl),
    'baseUrl',
    'the URL of the service, such as https://countersign.example.com',
  );
  requireOption(typeof fetch === 'function', 'fetch', 'a function like the global fetch');
  requireOption(timeout > 0 && timeout <= LONGEST_TIMEOUT_MS, 'timeout', 'a positive number of milliseconds');
  const isCount = Number.isInteger(maxRetries) && maxRetries >= 0 && maxRetries <= MOST_RETRIES;
  requireOption(isCount, 'maxRetries', `a whole number from 0 to ${MOST_RETRIES}`);
  return { apiKey, baseUrl: baseUrl.replace(/\/+$/, ''), fetch, timeout, maxRetries, platform };
}

/** Does not say what was given: it may be a secret. @internal */
export function requireOption(isValid: boolean, option: string, expected: string): asserts isValid {
  if (!isValid) throw new TypeError(`${option} must be ${expected}`);
}

function isBaseUrl(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    const { protocol, username, password, search, hash } = new URL(text);
    return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
  } catch {
    return false;
  }
}
