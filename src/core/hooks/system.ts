/** Identity systems that make their own codes and only want them sent: `POST /hooks/NAME`. */
import type { Channel } from '../destination/channel.ts';

/** Whether the system signs its requests with a secret; the others send the API key itself. */
const SIGNS = {
  supabase: true,
  zitadel: true,
  authgear: true,
  clerk: true,
  logto: false,
  fusionauth: false,
  casdoor: false,
  authentik: false,
  kratos: false,
  keycloak: false,
} as const satisfies Record<string, boolean>;

export type HookSystem = keyof typeof SIGNS;
type SigningSystem = {
  [Name in HookSystem]: (typeof SIGNS)[Name] extends true ? Name : never;
}[HookSystem];

export const HOOK_SYSTEMS = Object.keys(SIGNS) as readonly HookSystem[];

export function signs(system: HookSystem): system is SigningSystem {
  return SIGNS[system];
}

/** One hook, as configured. */
export interface HookOptions {
  readonly system: HookSystem;
  /** The API key that it sends as. */
  readonly key: string;
  /** What the system signs with, if it signs. */
  readonly secret?: string | undefined;
  readonly channel?: Channel | undefined;
  /** The name of a configured text. */
  readonly template?: string | undefined;
  /** The language of all its messages (BCP 47). */
  readonly locale?: string | undefined;
}

/** By name: that of its path. */
export type Hooks = Readonly<Record<string, HookOptions>>;

/** The specification of Standard Webhooks asks for 24 to 64 bytes. */
const STANDARD = /^(?:v1,)?whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;
const LEAST_LENGTH = 16;

/** What a secret of each system looks like, in words. */
export const SECRET_SHAPES: Readonly<Record<SigningSystem, string>> = {
  supabase: 'v1,whsec_ and then base64, as Supabase shows it; while it rotates, several joined by |',
  clerk: 'whsec_ and then base64, as Clerk shows it under the endpoint',
  zitadel: `the signing key that Zitadel answered with, at least ${LEAST_LENGTH} characters`,
  authgear: `the secret that Authgear shows for webhooks, at least ${LEAST_LENGTH} characters`,
};

/** The keys of its signatures; undefined if it has not the form that the system's have. */
export function signingKeysOf(system: SigningSystem, secret: string): readonly Buffer[] | undefined {
  switch (system) {
    case 'supabase':
      return standardKeys(secret.split('|'));
    case 'clerk':
      return standardKeys([secret]);
    case 'zitadel':
    case 'authgear':
      return secret.length < LEAST_LENGTH ? undefined : [Buffer.from(secret)];
  }
}

function standardKeys(secrets: readonly string[]): readonly Buffer[] | undefined {
  const encoded = secrets.flatMap((secret) => STANDARD.exec(secret.trim())?.[1] ?? []);
  return encoded.length === secrets.length ? encoded.map((each) => Buffer.from(each, 'base64')) : undefined;
}
