import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDatabaseAddress } from './address.ts';

const parse = (url: string) => {
  const parsed = parseDatabaseAddress(url);
  if (!parsed.ok) throw new Error(parsed.problem.wrong);
  return parsed.address.client;
};
const complaint = (url: string) => {
  const parsed = parseDatabaseAddress(url);
  return parsed.ok ? undefined : Object.values(parsed.problem).join('; ');
};

test('a URL is taken apart', () => {
  assert.deepEqual(parse('postgres://me:p%40ss@db.example:6432/codes?sslmode=disable'), {
    host: 'db.example',
    port: 6432,
    user: 'me',
    password: 'p@ss',
    database: 'codes',
    ssl: false,
  });
  assert.deepEqual(parse('postgresql://[::1]/codes'), {
    host: '::1',
    port: 5432,
    database: 'codes',
    ssl: false,
  });
});

test('another host needs a word on how the way to it is secured', () => {
  for (const host of ['db.example', '127.db.example', '127.0.0.1.db.example']) {
    assert.match(complaint(`postgres://${host}/codes`) ?? '', /sslmode=verify-full/, host);
  }
  for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '%2Frun%2Fpostgresql']) {
    assert.equal(parse(`postgres://${host}/codes`).ssl, false, host);
  }
  for (const mode of ['prefer', 'require', 'verify-ca', 'no-verify', 'x']) {
    assert.match(
      complaint(`postgres://localhost/codes?sslmode=${mode}`) ?? '',
      new RegExp(`sslmode=${mode}`),
    );
  }
  assert.deepEqual(parse('postgres://db.example/codes?sslmode=verify-full').ssl, {
    rejectUnauthorized: true,
    servername: 'db.example',
  });
});

test('what cannot be used is refused, without its password', () => {
  for (const url of [
    'db.example',
    'mysql://me:hunter2@localhost/codes',
    'postgres://me:hunter2@localhost',
    'postgres://me:hunter2@a,b/codes',
    'postgres://me:hunter2@localhost/codes?pool=5',
    'postgres://me:hunter2@localhost/codes?sslmode=verify-full&sslrootcert=/no/such/file',
    'postgres://me:hunter2@localhost:99999/codes',
  ]) {
    const text = complaint(url);
    assert.ok(text, url);
    assert.ok(!text.includes('hunter2'), text);
  }
});
