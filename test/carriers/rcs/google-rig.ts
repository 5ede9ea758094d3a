/** A carrier that sends over Google's RCS for Business, with a service account of its own. */
import { generateKeyPairSync } from 'node:crypto';
import { createGoogleCarrier } from '../../../src/carriers/google/carrier.ts';
import { googleOptions } from '../../../src/carriers/google/options.ts';
import type { CarrierPorts, OutgoingMessage } from '../../../src/core/sending/carrier.ts';
import { message as sms } from '../contract.ts';
import { decodeOptions } from '../options.ts';

export const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
export const EMAIL = 'rbm-agent@project.iam.gserviceaccount.com';
export const ACCOUNT = JSON.stringify({
  ...{ type: 'service_account', project_id: 'project', private_key_id: 'key-1', private_key: privateKey },
  ...{ client_email: EMAIL, token_uri: 'https://oauth2.googleapis.com/token' },
});
export const CLIENT_TOKEN = 'SJENCPGJESMGUFPY';
export const AGENT = 'acme_codes_agent';

export const message: OutgoingMessage = { ...sms, channel: 'rcs' };
export const optionsOf = (url: string, more: object = {}) =>
  decodeOptions(googleOptions, {
    ...{ type: 'google', from: AGENT, serviceAccount: ACCOUNT, clientToken: CLIENT_TOKEN },
    ...{ url, tokenUrl: url, ...more },
  });
export const create = (url: string, ports: CarrierPorts) =>
  createGoogleCarrier('gateway', optionsOf(url), ports);
