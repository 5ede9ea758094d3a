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
export type SigningSystem = {
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
