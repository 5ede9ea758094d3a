/** Single sign-on must be asked for as OpenID Connect has it, over a way that nobody else can read. */
import { isLoopback } from './loopback.ts';
import type { RuleFinding } from './problem.ts';
import type { Config } from './schema.ts';

export function* checkOidc({ portal: { oidc } }: Config): Generator<RuleFinding> {
  for (const [name, { issuer, scopes }] of Object.entries(oidc)) {
    const key = ['portal', 'oidc', name];
    const fault = findIssuerFault(issuer);
    if (fault !== undefined) yield { key: [...key, 'issuer'], ...fault };
    if (!scopes.includes('openid')) {
      yield {
        key: [...key, 'scopes'],
        wrong: 'lacks openid',
        expected: 'openid among them: without it the provider does not say who signs in',
        fix: 'add openid',
      };
    }
  }
}

function findIssuerFault(issuer: string): Omit<RuleFinding, 'key'> | undefined {
  if (!URL.canParse(issuer)) {
    return { wrong: 'is no address', expected: 'such as https://accounts.google.com', fix: 'correct it' };
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    return {
      wrong: `is reached over http at ${hostname}`,
      expected: 'https: whoever reads along could sign in as anybody',
      fix: 'write https; http is for a provider on this machine alone',
    };
  }
  if (
    /\/(common|organizations|consumers)\/v2\.0\/?$/.test(issuer) &&
    hostname.endsWith('microsoftonline.com')
  ) {
    return {
      wrong: 'admits every tenant of Entra ID',
      expected: 'https://login.microsoftonline.com/TENANT/v2.0',
      fix: 'write the id of your own tenant',
    };
  }
  return undefined;
}
