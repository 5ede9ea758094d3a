/** Mail over a real server: encrypted or refused, with headers that nobody can add to, and never longer than allowed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, suite, test } from 'node:test';
import fc from 'fast-check';
import { generate } from 'selfsigned';
import { createMail, type SmtpOptions } from '../../src/alerts/mail.ts';
import { composeNotification, type Notice } from '../../src/alerts/notification.ts';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { headerOf, type MailServer, openMailServer } from './mail-server.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const TO = 'ada@example.com';

const noticeOf = (account: string, detail = 'Nothing is wrong.'): Notice => ({
  id: 'aln_1',
  kind: 'firing',
  at: NOW,
  facts: {
    ...{
      alert: 'alr_1',
      rule: 'owner-new',
      accountId: 'acc_1',
      account,
      subject: 'x',
      detail,
      place: 'people',
    },
    since: NOW,
  },
});
const notification = composeNotification([noticeOf('Acme')], 'https://verify.example.com');

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  algorithm: 'sha256',
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
});

suite('mail', () => {
  const parts = new AsyncDisposableStack();
  after(() => parts.disposeAsync());

  function mailOf({ port }: Pick<MailServer, 'port'>, options: Partial<SmtpOptions> = {}, ca?: string) {
    const mail = createMail(
      SYSTEM_CLOCK,
      { host: 'localhost', port, encryption: 'none', from: 'alerts@example.org', ...options },
      ca,
    );
    parts.defer(() => mail.close());
    return mail;
  }

  test('comes with its headers, as text and as HTML that say the same', async () => {
    const server = parts.use(await openMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] }));
    assert.deepEqual(await mailOf(server).send(TO, notification), { kind: 'sent' });
    const [mail] = server.received;
    assert.ok(mail !== undefined);
    assert.deepEqual([mail.from, mail.to], ['alerts@example.org', [TO]]);
    assert.equal(headerOf(mail, 'subject'), '[Countersign] Firing: New owner (Acme)');
    assert.equal(headerOf(mail, 'auto-submitted'), 'auto-generated');
    assert.equal(headerOf(mail, 'message-id'), `<${notification.id}@example.org>`);
    assert.ok(Math.abs(Date.parse(headerOf(mail, 'date') ?? '') - Date.now()) < 60_000);
    assert.match(headerOf(mail, 'content-type') ?? '', /^multipart\/alternative/);
    assert.match(
      mail.source,
      /text\/plain[\s\S]*Nothing is wrong\.[\s\S]*text\/html[\s\S]*Nothing is wrong\./,
    );
  });

  test('goes encrypted after STARTTLS, with the password only then', async () => {
    const server = parts.use(
      await openMailServer({
        ...{ key, cert, authOptional: false },
        onAuth: ({ username, password }, _session, done) =>
          password === 'right' ? done(null, { user: username ?? '' }) : done(new Error('no')),
      }),
    );
    const login = { encryption: 'starttls', user: 'ada', password: 'right' } as const;
    assert.deepEqual(await mailOf(server, login, cert).send(TO, notification), { kind: 'sent' });
    assert.deepEqual(
      server.received.map(({ secure, user }) => [secure, user]),
      [[true, 'ada']],
    );
    const refused = await mailOf(server, { ...login, password: 'wrong' }, cert).send(TO, notification);
    assert.deepEqual(refused, { kind: 'failed', answer: 'the server refuses the user or the password' });
    const stranger = await mailOf(server, login).send(TO, notification);
    assert.equal(stranger.kind, 'failed', 'a certificate that nobody trusts');
  });

  test('is not sent in clear to a server that offers no STARTTLS', async () => {
    const server = parts.use(await openMailServer({ disabledCommands: ['STARTTLS'] }));
    const sent = await mailOf(server, { encryption: 'starttls', user: 'ada', password: 'precious' }).send(
      TO,
      notification,
    );
    assert.deepEqual(sent, {
      kind: 'failed',
      answer: 'the server offers no TLS, or another than was asked for',
    });
    assert.equal(server.received.length, 0);
  });

  test('goes encrypted from the first byte', async () => {
    const server = parts.use(await openMailServer({ secure: true, key, cert }));
    assert.deepEqual(await mailOf(server, { encryption: 'tls' }, cert).send(TO, notification), {
      kind: 'sent',
    });
    assert.equal(server.received[0]?.secure, true);
  });

  test('that is refused says so by its number, and not with what the server wrote', async () => {
    const server = parts.use(
      await openMailServer({
        disabledCommands: ['STARTTLS'],
        onRcptTo: (_address, _session, done) =>
          done(Object.assign(new Error('no such user ada@example.com'), { responseCode: 550 })),
      }),
    );
    assert.deepEqual(await mailOf(server).send(TO, notification), { kind: 'failed', answer: 'SMTP 550' });
  });

  test('waits for no server that hangs or is away', async (t) => {
    const silent = createServer(() => {});
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    t.after(() => silent.close());
    const away = await mailOf({ port: 1 }).send(TO, notification);
    assert.equal(away.kind, 'failed');
    // Its greeting never comes.
    const hanging = await mailOf({ port }).send(TO, notification);
    assert.deepEqual(hanging, { kind: 'failed', answer: 'the server does not answer in time' });
  });

  test('takes no address that is not one', async () => {
    const server = parts.use(await openMailServer({ disabledCommands: ['STARTTLS'] }));
    for (const to of ['', 'ada', 'ada@example.com\r\nRCPT TO:<eve@example.com>', 'a@b c', 'ada@x\0']) {
      assert.equal((await mailOf(server).send(to, notification)).kind, 'failed', JSON.stringify(to));
    }
    assert.equal(server.received.length, 0);
  });

  test('has the same headers whatever the names in it say', async () => {
    const server = parts.use(await openMailServer({ disabledCommands: ['STARTTLS'] }));
    const mail = mailOf(server);
    const breaks = fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      '\r\n\r\n',
      '\r\nBcc: eve@example.com',
      '\0',
      '\u2028',
      ' ',
      'é',
      '"',
    );
    const name = fc
      .array(fc.oneof(breaks, fc.string({ maxLength: 10 })), { maxLength: 8 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(name, name, async (account, detail) => {
        server.received.length = 0;
        assert.deepEqual(await mail.send(TO, composeNotification([noticeOf(account, detail)], undefined)), {
          kind: 'sent',
        });
        const [came] = server.received;
        assert.ok(came !== undefined);
        assert.deepEqual(came.to, [TO]);
        const [head = ''] = came.source.split('\r\n\r\n');
        const names = head
          .split('\r\n')
          .filter((line) => !/^[ \t]/.test(line))
          .map((line) => line.split(':')[0]);
        assert.deepEqual(names.sort(), HEADERS);
      }),
      { numRuns: 60 },
    );
  });
});

const HEADERS = [
  ...['Auto-Submitted', 'Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Subject', 'To'],
  'X-Auto-Response-Suppress',
];
