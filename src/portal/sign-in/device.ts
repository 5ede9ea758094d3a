/**
 * Devices that somebody signed in on before, known by a cookie (OWASP, "Device cookies"). Wrong passwords of a person are
 * counted together, from wherever they come, so whoever guesses from afar can keep that person from signing in. A device
 * that brings this cookie has a count of its own. What can be done with it:
 *
 * - Without one there are the guesses there were before, and none can be forged: it carries a MAC.
 * - A stolen one gives the guesses of that device at that person's password. It opens no session and stands for no factor.
 * - A person has DEVICES counts, whatever number of browsers. So all cookies that were ever handed out give so many times the
 *   guesses of one, and no more; the price is that two browsers may come to share a count.
 * - A new password, a reset and signing out everywhere change what the MAC covers: every cookie of before is void.
 */
import { randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PersonRecord } from '../../accounts/people.ts';
import { mintToken } from '../../accounts/token.ts';
import { query, type Records, type Step } from '../../core/records.ts';
import { areEqual } from '../../core/secrets/constant-time.ts';
import type { Keyring } from '../../core/secrets/keyring.ts';
import { readCookie, setCookie } from '../cookie.ts';

const DEVICE_COOKIE = '__Host-countersign-device';
const DEVICES = 16;
const GOOD_FOR_MS = 180 * 86_400_000;

/** Whose devices, and what they are known by now. */
export type DeviceOwner = Pick<PersonRecord, 'id' | 'devices'>;

/** The number of a device that the person signed in on before; undefined of any other. */
export const deviceOf = (
  request: FastifyRequest,
  keyring: Keyring,
  owner: DeviceOwner,
  now: number,
): number | undefined => readDevice(keyring, owner, readCookie(request, DEVICE_COOKIE), now);

/** Has the browser known as a device of the person, the one that it was if it was one. */
export function handDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  keyring: Keyring,
  owner: DeviceOwner,
  now: number,
): void {
  const number = deviceOf(request, keyring, owner, now) ?? randomInt(DEVICES);
  setCookie(reply, DEVICE_COOKIE, formatDevice(keyring, owner, number, now), GOOD_FOR_MS / 1_000);
}

/** What the cookie says: person, number, end and MAC. */
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
  if (personId !== owner.id || !(end > now)) return undefined;
  const { current, earlier } = keyring.deviceMac(textOf(owner, number, end));
  const isOurs = areEqual(mac, current) || earlier.some((other) => areEqual(mac, other));
  return isOurs ? number : undefined;
}

export function dropDevice(reply: FastifyReply): void {
  setCookie(reply, DEVICE_COOKIE, '', 0);
}

/**
 * What the devices of a person are known by; of a person who is yet to be made as well. It may be read before the
 * transaction that begins a session: where another one changes it in between, the cookie is void.
 */
export async function readDevices(records: Records, id: string): Promise<DeviceOwner> {
  const [row] = await query(records, 'SELECT devices FROM person WHERE id = $1', id);
  return { id, devices: String(row?.devices ?? '') };
}

/** Makes every cookie void that the person was handed. `owner` is who those are handed to that come after it. */
export function renewDevices(id: string): { readonly owner: DeviceOwner; readonly step: Step } {
  const devices = mintToken();
  const step = { sql: 'UPDATE person SET devices = $2 WHERE id = $1', args: [id, devices] };
  return { owner: { id, devices }, step };
}

const textOf = ({ id, devices }: DeviceOwner, number: number, end: number): string =>
  [id, devices, number, end].join('\0');
