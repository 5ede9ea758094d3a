/** What is known of the person who asks and of their device. Nothing of it is kept as the client said it. */
import { isIP } from 'node:net';
import type { FieldError } from '../errors/field-error.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { cutNetworkOf } from '../text/network.ts';

export const PLATFORMS = ['android', 'ios', 'ipados', 'tvos', 'web'] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface Signals {
  /** The address of the person's device. */
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly devicePlatform?: Platform | undefined;
  readonly appVersion?: string | undefined;
  /** The application knows the person already. */
  readonly isTrustedUser?: boolean | undefined;
}

/** As they are kept, for a while: addresses cut, what tells devices apart hashed. */
export interface KeptSignals {
  /** `203.0.113.0/24` or `2001:db8:1::/48`. */
  readonly network?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly device?: string | undefined;
  readonly platform?: Platform | undefined;
  readonly appVersion?: string | undefined;
  readonly trusted?: boolean | undefined;
}

const NOTHING: KeptSignals = {};
const APP_VERSION = /^[\x20-\x7e]{1,40}$/;

export function findSignalsFault({ ip, appVersion }: Signals): FieldError<`signals/${string}`> | undefined {
  if (ip !== undefined && isIP(ip) === 0) {
    const detail = 'must be an IPv4 or IPv6 address';
    return { field: 'signals/ip', code: 'not_an_address', detail };
  }
  if (appVersion !== undefined && !APP_VERSION.test(appVersion)) {
    const detail = 'must be a version of at most 40 ASCII characters, such as 4.2.1';
    return { field: 'signals/app_version', code: 'wrong_format', detail };
  }
  return undefined;
}

/** Where a code comes from: the service drew it, the client brought it, or the operator tests a carrier. */
export type CodeSource = 'drawn' | 'brought' | 'test';

/**
 * What the guard judges a request by. A code that is brought may be confirmed elsewhere: only what needs no confirmation is held
 * against it, and it counts only among its own kind. Who is vouched for, and a test, is judged by the operator's rules only, and
 * counts nowhere.
 */
export type Judged = 'by-all' | 'as-brought' | 'by-rules';

/** What the guard is asked about, and what is kept: nothing of it as the client said it. */
interface Person {
  /** Null if the client did not say. */
  readonly clientNetwork: string | null;
  readonly device: string | undefined;
  readonly judged: Judged;
  /** JSON of KeptSignals; null if there is nothing to keep. */
  readonly signals: string | null;
}

const JUDGED: Readonly<Record<CodeSource, Judged>> = {
  drawn: 'by-all',
  brought: 'as-brought',
  test: 'by-rules',
};

export function lookAtPerson(
  keyring: Pick<Keyring, 'clientNetworkHash' | 'userAgentHash' | 'clientDeviceHash'>,
  accountId: string,
  signals: Signals | undefined,
  source: CodeSource,
): Person {
  const judged = JUDGED[source];
  if (signals === undefined) return { clientNetwork: null, device: undefined, judged, signals: null };
  const { ip, userAgent, deviceId, devicePlatform, appVersion, isTrustedUser } = signals;
  // A device is known within its account only: what another calls its devices must not count here.
  const device = deviceId === undefined ? undefined : keyring.clientDeviceHash(`${accountId}\0${deviceId}`);
  const kept: KeptSignals = {
    network: ip === undefined ? undefined : cutNetworkOf(ip),
    userAgent: userAgent === undefined ? undefined : keyring.userAgentHash(userAgent),
    device,
    platform: devicePlatform,
    appVersion,
    trusted: isTrustedUser,
  };
  const text = JSON.stringify(kept);
  return {
    clientNetwork: ip === undefined ? null : keyring.clientNetworkHash(ip),
    device,
    judged: isTrustedUser === true ? 'by-rules' : judged,
    signals: text === '{}' ? null : text,
  };
}

export function readSignals(text: string | null | undefined): KeptSignals {
  return text === null || text === undefined ? NOTHING : JSON.parse(text);
}

/** Whether what became of a code tells people from bots: not of one that is confirmed elsewhere, nor of who is trusted. */
export function isEvidence(brought: boolean, { trusted }: KeptSignals): boolean {
  return !brought && trusted !== true;
}
