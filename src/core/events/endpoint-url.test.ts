import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readEndpointUrl } from './endpoint-url.ts';

suite('the address of an endpoint', () => {
  const read = (text: string, networks: readonly string[] = []) => {
    const found = readEndpointUrl(text, networks);
    return found.ok ? found.url : found.code;
  };

  test('is https, and is kept as it will be used', () => {
    assert.equal(read('https://Example.com/a?b=c'), 'https://example.com/a?b=c');
    assert.equal(read('https://example.com:8443'), 'https://example.com:8443/');
  });

  test('is refused with a reason', () => {
    assert.equal(read('http://example.com/'), 'wrong_format');
    assert.equal(read('example.com'), 'wrong_format');
    assert.equal(read('ftp://example.com/'), 'wrong_format');
    for (const login of ['user:password', 'user', ':password'])
      assert.equal(read(`https://${login}@example.com/`), 'wrong_format', login);
    assert.equal(read('https://example.com/#part'), 'wrong_format');
    assert.equal(read(`https://example.com/${'x'.repeat(2_000)}`), 'too_long');
  });

  test('is not an inner address, however it is spelt', () => {
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:10.0.0.1]',
      'localhost',
      'a.localhost',
    ]) {
      assert.equal(read(`https://${host}/`), 'not_allowed_value', host);
    }
  });

  test('may be inner, and without TLS, where the operator allows it', () => {
    const networks = ['127.0.0.0/8'];
    assert.equal(read('http://localhost:9/', networks), 'http://localhost:9/');
    assert.equal(read('https://127.0.0.1/', networks), 'https://127.0.0.1/');
    assert.equal(read('https://10.0.0.1/', networks), 'not_allowed_value');
  });
});
