export type Channel = 'sms' | 'voice';

/** A telephone that a code can be sent to, parsed and in its one canonical spelling. */
export interface Destination {
  /** Canonical: `+4915123456789`, `tel:+12025550123;ext=12`, `sip:alice@example.com`. What is echoed and hashed. */
  readonly address: string;
  readonly kind: 'e164' | 'extension' | 'sip';
  /** ISO 3166 alpha-2, or `ZZ` where the destination has none (a SIP URI, +800 and the like). */
  readonly country: string;
}
