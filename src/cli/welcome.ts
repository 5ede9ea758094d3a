/** The first steps, printed once: on the first start, when there is no API key yet. */
import { join } from 'node:path';
import type { Config } from '../config/table/schema.ts';
import { THE_SERVICE } from '../core/accounts/actor.ts';
import type { KeyStore } from '../core/accounts/api-key.ts';
import { mintKey } from '../core/accounts/api-key-format.ts';

const DESTINATION = '+14155550123';
/** Only a checkout runs TypeScript. */
const COMMAND = import.meta.url.endsWith('.ts') ? 'npm run -s countersign --' : 'npx countersign';

/**
 * Makes a first test key and returns what to do with it; undefined if there are keys already. The key is printed: it
 * reaches only the simulator and costs nothing.
 */
export async function welcome(config: Config, port: number, keys: KeyStore): Promise<string | undefined> {
  if ((await keys.listKeys()).length > 0) return undefined;
  const { key, ...minted } = mintKey(true);
  const made = { ...minted, name: 'first steps', test: true, createdAt: Date.now() };
  await keys.createKey('default', made, THE_SERVICE);

  const proxied = config.trustProxy.length > 0;
  const base = `${proxied ? 'http' : 'https'}://localhost:${port}`;
  const certificate = config.tls?.cert ?? join(config.dataDir, 'tls-cert.pem');
  const curl = `curl ${proxied ? "-H 'X-Forwarded-Proto: https'" : `--cacert ${certificate}`} -H 'Authorization: Bearer ${key}'`;
  const json = "-H 'Content-Type: application/json'";
  return `
Countersign is ready at ${base}  (reference: ${base}/docs)

A test key, shown only now:  ${key}
It reaches only the simulator: nothing is sent to a telephone.

1. Ask for a code:
   ${curl} ${json} ${base}/verify -d '{"destination":"${DESTINATION}","channel":"sms"}'
2. See the message arrive:
   ${curl} '${base}/simulator/messages?destination=${encodeURIComponent(DESTINATION)}'
3. Confirm it with the id and the code:
   ${curl} ${json} ${base}/confirm -d '{"id":"ver_...","code":"..."}'

To create your own keys:  ${COMMAND} keys create --name NAME [--test]
`;
}
