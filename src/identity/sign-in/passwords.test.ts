import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordFault } from './password-rules.ts';
import { createPasswords, isOutdated } from './passwords.ts';

function begun() {
  const deriving = createPasswords().begin({ lane: 'anybody', name: 'somebody' });
  assert.ok(deriving);
  return deriving;
}

test('a hash names its parameters, matches only its password, and is never the same', async () => {
  using passwords = begun();
  const [first, second] = await Promise.all([
    passwords.hash('one two three'),
    passwords.hash('one two three'),
  ]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w-]{22}\$[\w-]{43}$/);
  assert.notEqual(first, second);
  assert.equal(await passwords.verify(first, 'one two three'), true);
  assert.equal(await passwords.verify(first, 'one two threE'), false);
  assert.equal(await passwords.verify(null, 'one two three'), false);
});

test('a hash with earlier parameters is still valid, and known to be outdated', async () => {
  const { argon2Sync } = await import('node:crypto');
  const nonce = Buffer.alloc(16, 7);
  const options = { message: 'old password', nonce, memory: 8192, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', options).toString('base64url');
  const encoded = `$argon2id$v=19$m=8192,t=1,p=1$${nonce.toString('base64url')}$${tag}`;
  using passwords = begun();
  assert.equal(await passwords.verify(encoded, 'old password'), true);
  assert.equal(isOutdated(encoded), true);
});

test('letters written in several ways are the same password', async () => {
  using passwords = begun();
  const encoded = await passwords.hash('Mu\u0308ller-stra\u00dfe-9');
  assert.equal(await passwords.verify(encoded, 'M\u00fcller-stra\u00dfe-9'), true);
});

test('passwords that are guessed first are refused, long ones of one’s own are accepted', () => {
  const fault = (password: string) => passwordFault(password, 'mary.smith@example.com');
  for (const password of [
    'elevenchars',
    'passwordpassword',
    'Password123456',
    'p@ssw0rd!2026',
    '123456789012',
    '1qaz2wsx3edc',
    'qwertyuiopasdf',
    'aaaaaaaaaaaaaaaa',
    'abcabcabcabcabc',
    'iloveyou2026!!',
    'Liverpool2026!',
    'countersign-admin',
    'I am Mary.Smith',
    'x'.repeat(257),
  ]) {
    assert.notEqual(fault(password), undefined, password);
  }
  for (const password of [
    'harbour-lantern-quill',
    'correct horse battery staple',
    'vK3#p9Lw!xQ2',
    'Все счастливые семьи',
    'football coffee monday rainbow',
  ]) {
    assert.equal(fault(password), undefined, password);
  }
});
