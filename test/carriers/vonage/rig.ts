/** The Vonage carrier as its tests configure it. */
import { generateKeyPairSync } from 'node:crypto';
import { createVonageCarrier } from '../../../src/carriers/vonage/carrier.ts';
import { vonageOptions } from '../../../src/carriers/vonage/options.ts';
import type { CarrierPorts } from '../../../src/core/sending/carrier.ts';
import { decodeOptions } from '../options.ts';

export const SECRET = 'vonage-api-secret';
export const SIGNATURE_SECRET = 'vonage-signature-secret';
export const APPLICATION = '01234567-89ab-cdef-0123-456789abcdef';
export const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
export const VOICE = {
  from: '+12025550199',
  applicationId: APPLICATION,
  privateKey,
  url: 'https://api.nexmo.com',
};

export const optionsOf = (written: Record<string, unknown>) =>
  decodeOptions(vonageOptions, {
    type: 'vonage',
    apiKey: 'abcd1234',
    apiSecret: SECRET,
    signature: { secret: SIGNATURE_SECRET },
    ...written,
  });
export const createSms = (url: string, ports: CarrierPorts) =>
  createVonageCarrier('gateway', optionsOf({ sms: { from: '+12025550199', url } }), ports);
export const createVoice = (url: string, ports: CarrierPorts) =>
  createVonageCarrier('gateway', optionsOf({ voice: { ...VOICE, url } }), ports);
