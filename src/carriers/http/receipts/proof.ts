/** How callbacks prove that they come from the gateway. */
import type { Random } from '../../../core/seams/random.ts';
import { areEqual } from '../../../core/secrets/constant-time.ts';
import type { Callback } from '../../../core/sending/carrier.ts';
import { createCallbackUrls } from '../../callback-url.ts';
import { header } from '../../gateway/signature.ts';
import { createSignatureCheck } from './hmac.ts';
import type { ProofOptions } from './options.ts';

/** Where the gateway reports what became of one message. */
export interface ReceiptAddress {
  readonly url: string;
  /** Our own id for the message, if the address is the proof. */
  readonly reference?: string;
}

export interface ReceiptProof {
  address(): ReceiptAddress;
  /** Undefined: it is forged. With a reference, only what it says about that message is proven. */
  check(callback: Callback, now: number): { readonly reference?: string } | undefined;
}

const GENUINE = {};

export function createReceiptProof(random: Random, options: ProofOptions, callbackUrl: string): ReceiptProof {
  switch (options.type) {
    case 'secret':
      return proveBySecret(options, callbackUrl);
    case 'hmac': {
      const isSigned = createSignatureCheck(options);
      const address = { url: callbackUrl };
      return {
        address: () => address,
        check: (callback, now) => (isSigned(callback, now) ? GENUINE : undefined),
      };
    }
    case 'address': {
      const urls = createCallbackUrls(callbackUrl, options.secret);
      return {
        address() {
          const reference = random.uuid();
          return { url: urls.urlOf(reference), reference };
        },
        check({ url }) {
          const reference = urls.idOf(url);
          return reference === undefined ? undefined : { reference };
        },
      };
    }
  }
}

function proveBySecret(
  { secret, header: name, query }: Extract<ProofOptions, { type: 'secret' }>,
  callbackUrl: string,
): ReceiptProof {
  const address = {
    url: query === undefined ? callbackUrl : `${callbackUrl}?${query}=${encodeURIComponent(secret)}`,
  };
  return {
    address: () => address,
    check(callback) {
      const given =
        query === undefined ? header(callback, name?.toLowerCase() ?? '') : parameter(callback, query);
      return given !== undefined && areEqual(given, secret) ? GENUINE : undefined;
    },
  };
}

/** A parameter that must be there exactly once; undefined if it is not. */
function parameter({ url }: Callback, name: string): string | undefined {
  const [value, ...more] = new URL(url).searchParams.getAll(name);
  return more.length === 0 ? value : undefined;
}
