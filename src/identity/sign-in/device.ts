/**
 * Devices that a person signed in on before, known by a cookie (OWASP, "Device cookies"). Wrong passwords for a person are
 * counted together, wherever they come from, so a distant guesser could lock that person out. A device with this cookie has
 * its own count:
 *
 * - It cannot be forged, because it carries a MAC.
 * - A stolen one allows that device's guesses at that person's password. It opens no session and replaces no factor.
 * - A person has DEVICES counts, however many browsers, so all their cookies together allow no more than DEVICES times the
 *   guesses of one. The price is that two browsers may share a count.
 * - A new password, a reset and signing out everywhere change what the MAC covers, so that all earlier cookies are void.
 */
import type { FastifyRequest } from 'fastify';
import type { PersonRecord } from '../../accounts/people.ts';
import { mintToken } from '../../accounts/token.ts';
import { isInTime } from '../../core/accounts/lasting.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { query, type Records, type Step } from '../../core/sql/records.ts';
import { type CookieReply, readCookie, setCookie } from '../cookie.ts';

const DEVICE_COOKIE = '__Host-countersign-device';
const DEVICES = 16;
const GOOD_FOR_MS = 180 * 86_400_000;

/** The owner of devices, with the text that their cookies are bound to. */
export type DeviceOwner = Pick<PersonRecord, 'id' | 'devices'>;

/** The number of a known device; undefined for any other. */
export const deviceOf = (
  request: FastifyRequest,
  keyring: Keyring,
  owner: DeviceOwner,
  now: number,
): number | undefined => readDevice(keyring, owner, readCookie(request, DEVICE_COOKIE), now);

/** Makes the browser a known device of the person, with its earlier number if it had one. */
export function handDevice(
  { records, keyring }: { readonly records: Pick<Records, 'random'>; readonly keyring: Keyring },
  request: FastifyRequest,
  reply: CookieReply,
  owner: DeviceOwner,
  now: number,
): void {
  const number = deviceOf(request, keyring, owner, now) ?? records.random.below(DEVICES);
  setCookie(reply, DEVICE_COOKIE, formatDevice(keyring, owner, number, now), GOOD_FOR_MS / 1_000);
}

/** The cookie's value: person, number, expiry and MAC. */
export function formatDevice(keyring: Keyring, owner: DeviceOwner, number: number, now: number): string {
  const end = now + GOOD_FOR_MS;
  return [owner.id, number, end, keyring.deviceMac(textOf(owner, number, end)).current].join('.');
}

export function readDevice(
  keyring: Keyring,
  owner: DeviceOwner,
  cookie: string | undefined,
  now: number,
): number | undefined {
  const [personId, device, until, mac = ''] = cookie?.split('.') ?? [];
  const [number, end] = [Number(device), Number(until)];
  if (personId !== owner.id || !isInTime(end, GOOD_FOR_MS, now)) return undefined;
  const { current, earlier } = keyring.deviceMac(textOf(owner, number, end));
  const isOurs = areEqual(mac, current) || earlier.some((other) => areEqual(mac, other));
  return isOurs ? number : undefined;
}

export function dropDevice(reply: CookieReply): void {
  setCookie(reply, DEVICE_COOKIE, '', 0);
}

/**
 * Also works for a person who is about to be created. It may be read before the transaction that begins a session: if it
 * changes in between, the cookie is void.
 */
export async function readDevices(records: Records, id: string): Promise<DeviceOwner> {
  const [row] = await query(records, 'SELECT devices FROM person WHERE id = $1', id);
  return { id, devices: String(row?.devices ?? '') };
}

/** Makes all earlier cookies of the person void. `owner` is for the next ones. */
export function renewDevices(
  { random }: Pick<Records, 'random'>,
  id: string,
): { readonly owner: DeviceOwner; readonly step: Step } {
  const devices = mintToken(random);
  const step = { sql: 'UPDATE person SET devices = $2 WHERE id = $1', args: [id, devices] };
  return { owner: { id, devices }, step };
}

const textOf = ({ id, devices }: DeviceOwner, number: number, end: number): string =>
  [id, devices, number, end].join('\0');
