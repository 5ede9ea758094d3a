/** For the `phoneNumber` plugin of better-auth: Countersign makes the code and judges it, and the plugin's own is not used. */

import type { Countersign } from './client.ts';
import { InvalidRequestError } from './errors.ts';
import type { Channel } from './wire.ts';

/** Remembers the verification of a number. A `Map` is one. */
export interface VerificationStore {
  get(phoneNumber: string): string | undefined | Promise<string | undefined>;
  set(phoneNumber: string, id: string): unknown;
  delete(phoneNumber: string): unknown;
}

export interface PhoneNumberOptions {
  readonly countersign: Pick<Countersign, 'verify' | 'confirm'>;
  readonly channel?: Channel | undefined;
  /** In memory by default, which is enough for one process. Several need one that they share. */
  readonly store?: VerificationStore | undefined;
}

interface Otp {
  readonly phoneNumber: string;
  readonly code: string;
}

/** `phoneNumber({ ...phoneNumberOtp({ countersign }), signUpOnVerification })` */
export function phoneNumberOtp({
  countersign,
  channel = 'sms',
  store = new BoundedMap(),
}: PhoneNumberOptions) {
  return {
    async sendOTP({ phoneNumber }: Pick<Otp, 'phoneNumber'>): Promise<void> {
      const result = await countersign.verify({ destination: phoneNumber, channel }).catch(refuseNumber);
      if (result.kind !== 'sent') {
        const { kind, retryAfter } = result;
        const message = `no code was sent (${kind}): try again in ${retryAfter} s`;
        throw apiError('TOO_MANY_REQUESTS', 429, 'LIMITED', message, retryAfter);
      }
      await store.set(phoneNumber, result.id);
    },
    async verifyOTP({ phoneNumber, code }: Otp): Promise<boolean> {
      const id = await store.get(phoneNumber);
      if (id === undefined) return false;
      const isConfirmed = (await countersign.confirm(id, code)).kind === 'confirmed';
      if (isConfirmed) await store.delete(phoneNumber);
      return isConfirmed;
    },
  };
}

/** better-auth knows its own errors by their name, and tells the page what they say; of others it says nothing. */
function apiError(status: string, statusCode: number, code: string, message: string, retryAfter?: number) {
  const body = { code, message, retryAfter };
  return Object.assign(new Error(message), { name: 'APIError', status, statusCode, body });
}

/** Why nothing can be sent to the number, such as `LANDLINE`, is for the person who typed it. */
function refuseNumber(cause: unknown): never {
  const faults = cause instanceof InvalidRequestError ? cause.errors : [];
  const fault = faults.find(({ field }) => field === 'destination');
  if (fault === undefined) throw cause;
  throw apiError('BAD_REQUEST', 400, fault.code.toUpperCase(), fault.detail);
}

const MOST_ENTRIES = 10_000;

/** Forgets the oldest to make room. Whether a code is still valid is for the service to say. */
class BoundedMap extends Map<string, string> {
  override set(phoneNumber: string, id: string): this {
    this.delete(phoneNumber);
    for (const oldest of this.keys()) {
      if (this.size < MOST_ENTRIES) break;
      this.delete(oldest);
    }
    return super.set(phoneNumber, id);
  }
}
