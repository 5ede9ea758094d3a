/** For the `phoneNumber` plugin of better-auth: Countersign makes the code and judges it, and the plugin's own is not used. */
import type { Countersign } from './client.ts';
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
      const result = await countersign.verify({ destination: phoneNumber, channel });
      if (result.kind !== 'sent')
        throw new Error(`no code was sent (${result.kind}): try again in ${result.retryAfter} s`);
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
