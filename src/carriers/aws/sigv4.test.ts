import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signRequest } from './sigv4.ts';

test('known answers of Signature Version 4, from the AWS test suite', () => {
  const scope = {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
  };
  const at = new Date('2015-08-30T12:36:00Z');
  const signatureOf = (method: string) =>
    signRequest(scope, { method, path: '/', headers: { host: 'example.amazonaws.com' }, body: '' }, at)
      .authorization;
  const head =
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=';
  assert.equal(signatureOf('GET'), `${head}5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31`);
  assert.equal(
    signatureOf('POST'),
    `${head}5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b`,
  );
});
