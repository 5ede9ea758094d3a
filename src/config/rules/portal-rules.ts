/** Single sign-on must use OpenID Connect, over an encrypted connection. */
import type { RuleFinding } from '../problem.ts';
import type { Config } from '../table/schema.ts';
import { isLoopback } from './loopback.ts';

export function* checkOidc({ portal: { oidc } }: Config): Generator<RuleFinding> {
  for (const [name, { issuer, scopes }] of Object.entries(oidc)) {
    const key = ['portal', 'oidc', name];
    const fault = findIssuerFault(issuer);
    if (fault !== undefined) yield { key: [...key, 'issuer'], ...fault };
    if (!scopes.includes('openid')) {
      yield {
        key: [...key, 'scopes'],
        wrong: 'lacks openid',
        expected: 'a list with openid: without it the provider does not say who signs in',
        fix: 'add openid',
      };
    }
  }
}

function findIssuerFault(issuer: string): Omit<RuleFinding, 'key'> | undefined {
  if (!URL.canParse(issuer)) {
    return { wrong: 'is not an address', expected: 'such as https://accounts.google.com', fix: 'correct it' };
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    return {
      wrong: `is reached over http at ${hostname}`,
      expected: 'https: otherwise anyone on the network path could sign in as anybody',
      fix: 'use https; http is only for a provider on this machine',
    };
  }
  if (
    /\/(common|organizations|consumers)\/v2\.0\/?$/.test(issuer) &&
    hostname.endsWith('microsoftonline.com')
  ) {
    return {
      wrong: 'admits every tenant of Entra ID',
      expected: 'https://login.microsoftonline.com/TENANT/v2.0',
      fix: 'use the id of your own tenant',
    };
  }
  return undefined;
}
