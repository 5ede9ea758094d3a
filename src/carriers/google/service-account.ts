/** The key of a service account, as Google's consoles make it. */
import { parseAnswer, textAt } from '../gateway/json-answer.ts';
import { createTokenSigner } from '../signed-token.ts';

const OPTION = 'serviceAccount';

/** @throws Error that names the option if the key cannot be used */
export function readServiceAccount(json: string) {
  const account = parseAnswer(json);
  const [email, key] = [textAt(account, 'client_email'), textAt(account, 'private_key')];
  if (!email || !key) {
    throw new Error(`${OPTION}: not the key of a service account, with client_email and private_key`);
  }
  const kid = textAt(account, 'private_key_id');
  return { email, sign: createTokenSigner(key, `${OPTION}.private_key`, kid ? { kid } : {}) };
}
