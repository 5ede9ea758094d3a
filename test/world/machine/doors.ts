/** How each command that comes over HTTP is asked. */
import type { Command } from '../command.ts';
import { hookRequest } from './hooks.ts';
import type { Sending } from './node.ts';
import { NAMED_TEXT } from './settings.ts';

/** What commands name by the world's words. */
export interface Names {
  /** The API key itself. */
  tokenOf(key: string): string;
  /** The id of the verification that a command's answer brought. */
  idOf(made: number): string;
  readonly hookKey: string;
  readonly now: number;
}

/** Each version knows what the other has sent. */
const CAMARA = {
  send: '/camara/one-time-password-sms/v1/send-code',
  check: '/camara/one-time-password-sms/v2/validate-code',
};

const ACCOUNT = 'AC00000000000000000000000000000000';
const SERVICE = '/twilio/v2/Services/VA00000000000000000000000000000000';
const MESSAGES = `/twilio/2010-04-01/Accounts/${ACCOUNT}/Messages`;

/** Undefined if the command does not come over HTTP. */
export function requestOf(command: Command, names: Names): Sending | undefined {
  const bearer = (key: string) => ({ authorization: `Bearer ${names.tokenOf(key)}` });
  const json = { 'content-type': 'application/json' };
  const once = (key?: string) => (key === undefined ? {} : { 'idempotency-key': key });
  switch (command.do) {
    case 'verify': {
      const { to, channel, code, length } = command;
      const options = { ...(code && { custom_code: code }), ...(length && { code_length: length }) };
      const asked = { destination: to, channel, ...(Object.keys(options).length > 0 && { options }) };
      const headers = { ...bearer(command.key), ...json, ...once(command.once) };
      return { method: 'POST', url: '/verify', headers, body: JSON.stringify(asked) };
    }
    case 'confirm': {
      const body = JSON.stringify({ id: names.idOf(command.id), code: command.code });
      const headers = { ...bearer(command.key), ...json, ...once(command.once) };
      return { method: 'POST', url: '/confirm', headers, body };
    }
    case 'look':
      return { method: 'GET', url: `/verifications/${names.idOf(command.id)}`, headers: bearer(command.key) };
    case 'twilio-send': {
      const { to, channel, code } = command;
      const form = { To: to, Channel: channel, ...(code && { CustomCode: code }) };
      return twilio(names, command.key, 'Verifications', form, once(command.once));
    }
    case 'twilio-check': {
      const { of, code } = command;
      const which = typeof of === 'string' ? { To: of } : { VerificationSid: sidOf(names.idOf(of)) };
      return twilio(names, command.key, 'VerificationCheck', { ...which, Code: code });
    }
    case 'twilio-fetch': {
      const { url, headers } = twilio(
        names,
        command.key,
        `Verifications/${sidOf(names.idOf(command.id))}`,
        {},
      );
      return { method: 'GET', url, headers };
    }
    case 'twilio-update':
      return twilio(names, command.key, `Verifications/${sidOf(names.idOf(command.id))}`, {
        Status: command.status,
      });
    case 'feedback': {
      const url = `/verifications/${names.idOf(command.id)}/feedback`;
      const body = JSON.stringify({ verdict: command.verdict });
      return { method: 'POST', url, headers: { ...bearer(command.key), ...json }, body };
    }
    case 'twilio-feedback': {
      const message = names.idOf(command.id).replace(/^ver_/, command.sid);
      const form = command.outcome === undefined ? {} : { Outcome: command.outcome };
      const { headers, body = '' } = twilio(names, command.key, '', form);
      return { method: 'POST', url: `${MESSAGES}/${message}/Feedback.json`, headers, body };
    }
    case 'camara-send': {
      const body = JSON.stringify({ phoneNumber: command.to, message: NAMED_TEXT });
      return { method: 'POST', url: CAMARA.send, headers: { ...bearer(command.key), ...json }, body };
    }
    case 'camara-check': {
      const body = JSON.stringify({ authenticationId: names.idOf(command.id), code: command.code });
      return { method: 'POST', url: CAMARA.check, headers: { ...bearer(command.key), ...json }, body };
    }
    case 'hook':
      return hookRequest(command, names.hookKey, names.now);
    default:
      return undefined;
  }
}

function twilio(
  names: Names,
  key: string,
  path: string,
  form: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Sending & { readonly headers: Readonly<Record<string, string>> } {
  const credentials = Buffer.from(`${ACCOUNT}:${names.tokenOf(key)}`).toString('base64');
  return {
    method: 'POST',
    url: `${SERVICE}/${path}`,
    headers: {
      ...{ authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
      ...more,
    },
    body: new URLSearchParams(form).toString(),
  };
}

const sidOf = (id: string) => id.replace(/^ver_/, 'VE');

/** The id of the verification that an answer brought. */
export function idIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const found =
    'id' in body
      ? body.id
      : 'sid' in body
        ? body.sid
        : 'authenticationId' in body
          ? body.authenticationId
          : undefined;
  if (typeof found !== 'string') return undefined;
  return /^VE[0-9a-f]{32}$/.test(found)
    ? found.replace(/^VE/, 'ver_')
    : /^ver_/.test(found)
      ? found
      : undefined;
}
