/** The first steps, printed once: on the first start, when there is no API key yet. */
import { join, resolve } from 'node:path';
import type { Config } from '../config/table/schema.ts';
import { THE_SERVICE } from '../core/accounts/actor.ts';
import type { KeyStore } from '../core/accounts/api-key.ts';
import { mintKey } from '../core/accounts/api-key-format.ts';
import { DEFAULT_ACCOUNT } from '../core/accounts/default-account.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { makesCertificate } from '../http/connection/transport.ts';
import { localAddress } from './portal-link.ts';

const DESTINATION = '+14155550123';
/** Only a checkout runs TypeScript. */
const COMMAND = import.meta.url.endsWith('.ts') ? 'npm run -s countersign --' : 'npx countersign';

/**
 * Makes a first test key and returns what to do with it; undefined if there are keys already, or if another node has just
 * made one. The key is printed: it reaches only the simulator and costs nothing.
 */
export async function welcome(config: Config, port: number, keys: KeyStore): Promise<string | undefined> {
  if ((await keys.listKeys()).length > 0) return undefined;
  const { key, ...minted } = mintKey(SYSTEM_RANDOM, true);
  const made = { ...minted, name: 'first steps', test: true, createdAt: SYSTEM_CLOCK.wall() };
  if ((await keys.createFirstKey(DEFAULT_ACCOUNT, made, THE_SERVICE)) === undefined) return undefined;

  const base = localAddress(config, port);
  // Whole, so that the commands work in any folder.
  const certificate = shellWord(resolve(config.tls?.cert ?? join(config.dataDir, 'tls-cert.pem')));
  const trust = config.trustProxy.length > 0 ? "-H 'X-Forwarded-Proto: https'" : `--cacert ${certificate}`;
  const curl = `curl -w '\\n' ${trust} -H 'Authorization: Bearer ${key}'`;
  const json = "-H 'Content-Type: application/json'";
  return `
A test key, shown only now:  ${key}
It reaches only the simulator: nothing is sent to a telephone.

1. Ask for a code:
   ${curl} ${json} ${base}/verify -d '{"destination":"${DESTINATION}","channel":"sms"}'
2. See the message arrive:
   ${curl} '${base}/simulator/messages?destination=${encodeURIComponent(DESTINATION)}'
3. Confirm it with the id and the code:
   ${curl} ${json} ${base}/confirm -d '{"id":"ver_...","code":"..."}'
${makesCertificate(config) ? describeTrust(certificate) : ''}
To create your own keys:  ${COMMAND} keys create --name NAME [--test]
`;
}

/** Every client has its own way to be told of a certificate that no authority signed. */
function describeTrust(file: string): string {
  return `
Programs must trust its certificate, ${file}:
   Node     NODE_EXTRA_CA_CERTS=${file}
   Python   requests: REQUESTS_CA_BUNDLE=${file}; httpx, urllib: SSL_CERT_FILE=${file}
   Go       SSL_CERT_FILE=${file}
It is for localhost and this machine; add other names and addresses to \`tls.names\` (COUNTERSIGN_TLS_NAMES).
`;
}

/** One word of any shell, whatever the path has in it. */
const shellWord = (path: string): string =>
  /^[\w@%+:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
