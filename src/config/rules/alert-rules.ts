/** Alerts need a server to be mailed with, and what is mailed is not read on the way. */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';
import { isLoopback } from './loopback.ts';

export function* checkSmtp({ smtp }: Config): Generator<RuleFinding> {
  if (smtp === undefined) return;
  const { host, encryption, user, password } = smtp;
  if (encryption === 'none' && !isLoopback(host) && host !== '::1') {
    yield {
      key: ['smtp', 'encryption'],
      wrong:
        'is none, and the server is another machine: anyone on the network path can read mail and password',
      expected: 'starttls or tls, or a server on this machine',
      fix: 'use starttls, or tls with port 465',
    };
  }
  if ((user === undefined) === (password === undefined)) return;
  const [there, missing] = user === undefined ? ['password', 'user'] : ['user', 'password'];
  yield {
    key: ['smtp', missing],
    wrong: `is not set, but smtp.${there} is`,
    expected: 'both, or neither',
    fix: `add it, or remove smtp.${there}`,
  };
}

export function* checkAlerts({ alerts, smtp }: Config): Generator<RuleFinding> {
  if (alerts.email.length > 0 && smtp === undefined) {
    yield {
      key: ['alerts', 'email'],
      wrong: 'is set, but smtp is not',
      expected: 'a server to send mail with',
      fix: 'add smtp: { host: ..., from: ... }, or remove it',
    };
  }
  const { url } = alerts.webhook ?? {};
  if (url === undefined) return;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isPlain = parsed !== undefined && ['https:', 'http:'].includes(parsed.protocol);
  if (isPlain && parsed.username === '' && parsed.password === '' && parsed.hash === '') return;
  yield {
    key: ['alerts', 'webhook', 'url'],
    wrong: 'is no address to send to',
    expected: 'an https address without user, password and fragment; http only to a private network',
    fix: 'copy it again',
  };
}
