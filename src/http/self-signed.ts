/** A thread that makes a self-signed certificate for this machine, posts it, and ends with all that it had to load. */
import { hostname } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { generate } from 'selfsigned';
import type { KeyPair } from './tls.ts';

const DAY_MS = 86_400_000;
const VALID_DAYS = 825;

const now = Date.now();
const made = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  curve: 'P-256',
  algorithm: 'sha256',
  notBeforeDate: new Date(now - DAY_MS),
  notAfterDate: new Date(now + VALID_DAYS * DAY_MS),
  extensions: [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        { type: 2, value: hostname() },
        { type: 7, ip: '127.0.0.1' },
        { type: 7, ip: '::1' },
      ],
    },
  ],
});
const pair: KeyPair = { cert: made.cert, key: made.private };
parentPort?.postMessage(pair);
