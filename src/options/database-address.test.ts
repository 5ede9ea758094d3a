import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDatabaseAddress } from './database-address.ts';

const parse = (url: string) => {
  const parsed = parseDatabaseAddress(url);
  if (!parsed.ok) throw new Error(parsed.problem.wrong);
  const [server, ...others] = parsed.address.servers;
  assert.ok(server && others.length === 0);
  return server;
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

test('of several hosts each has its port, and all share the rest', () => {
  const parsed = parseDatabaseAddress(
    'postgres://me:p%2Css@db1.example,[::1]:6432,db3.example:7432/codes?sslmode=disable&target_session_attrs=read-write',
  );
  assert.ok(parsed.ok);
  const { servers, target, shown } = parsed.address;
  const shared = { user: 'me', password: 'p,ss', database: 'codes', ssl: false };
  assert.deepEqual(servers, [
    { host: 'db1.example', port: 5432, ...shared },
    { host: '::1', port: 6432, ...shared },
    { host: 'db3.example', port: 7432, ...shared },
  ]);
  assert.equal(target, 'read-write');
  assert.equal(shown, 'db1.example,[::1]:6432,db3.example:7432/codes');
});

test('each of several hosts is checked against its own name', () => {
  const parsed = parseDatabaseAddress(
    'postgres://a.example,b.example/codes?sslmode=verify-full&target_session_attrs=primary',
  );
  assert.ok(parsed.ok);
  const names = ['a.example', 'b.example'];
  assert.deepEqual(
    parsed.address.servers.map(({ ssl }) => ssl),
    names.map((servername) => ({ rejectUnauthorized: true, servername })),
  );
});

test('several hosts need a word on which of them is used, and one host may go without', () => {
  const several = 'postgres://127.0.0.1:1,127.0.0.1:2/codes';
  assert.match(complaint(several) ?? '', /several hosts.*target_session_attrs=read-write or primary or any/);
  for (const target of ['read-only', 'standby', 'prefer-standby', 'READ-WRITE', '']) {
    assert.match(
      complaint(`${several}?target_session_attrs=${target}`) ?? '',
      new RegExp(`has target_session_attrs=${target};`),
    );
  }
  const targetOf = (url: string) => {
    const parsed = parseDatabaseAddress(url);
    return parsed.ok && parsed.address.target;
  };
  for (const target of ['read-write', 'primary', 'any']) {
    assert.equal(targetOf(`${several}?target_session_attrs=${target}`), target);
  }
  assert.equal(targetOf('postgres://localhost/codes'), 'any');
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

test('a % that begins no escape is named with its place, and how it is written', () => {
  for (const [url, part] of [
    ['postgres://app:50%off@localhost/codes', 'password'],
    ['postgres://app:50%@localhost/codes', 'password'],
    ['postgres://app:caf%e9@localhost/codes', 'password'],
    ['postgres://ap%p:x@localhost/codes', 'user'],
    ['postgres://app:x@localhost/co%zzdes', 'database'],
    ['postgres://app:x@lo%zzcal/codes', 'host'],
    ['postgres://app:x@localhost,lo%zzcal/codes?target_session_attrs=any', 'host'],
  ] as const) {
    const text = complaint(url) ?? '';
    assert.match(text, new RegExp(`^has a % in its ${part} .*write %25 for each %`), url);
    assert.ok(!text.includes('off'), text);
  }
  assert.equal(parse('postgres://app:50%25off@localhost/codes').password, '50%off');
});

test('what cannot be used is refused, without its password', () => {
  for (const url of [
    'db.example',
    'mysql://me:hunter2@localhost/codes',
    'postgres://me:hunter2@localhost',
    'postgres://me:hunter2@a,b/codes?sslmode=disable',
    'postgres://me:hunter2@a,,b/codes?sslmode=disable&target_session_attrs=any',
    'postgres://me:hunter2@a:1,b:x/codes?sslmode=disable&target_session_attrs=any',
    'postgres://me:hunter2@localhost/codes?target_session_attrs=standby',
    'postgres://me:hunter2@localhost,db.example/codes?target_session_attrs=primary',
    'postgres://me:hunter2@localhost/codes?pool=5',
    'postgres://me:hunter2@localhost/codes?sslmode=verify-full&sslrootcert=/no/such/file',
    'postgres://me:hunter2@localhost:99999/codes',
  ]) {
    const text = complaint(url);
    assert.ok(text, url);
    assert.ok(!text.includes('hunter2'), text);
  }
});
