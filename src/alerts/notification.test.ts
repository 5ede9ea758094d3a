import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../core/text/any-text-fixture.ts';
import { composeNotification, type Notice, oneLine } from './notification.ts';

const notice = (facts: Partial<Notice['facts']> = {}, rest: Partial<Notice> = {}): Notice => ({
  id: 'aln_1',
  kind: 'firing',
  at: 1_700_000_000_000,
  facts: {
    ...{
      alert: 'alr_1',
      rule: 'conversion-fell',
      accountId: 'acc_1',
      account: 'Acme',
      subject: 'country DE',
    },
    ...{
      detail: 'Of the codes to Germany, 40 % were confirmed.',
      place: 'overview?country=DE',
      since: 1_700_000_000_000,
    },
    ...facts,
  },
  ...rest,
});

test('one notice is told in its own words, with a link to the page that explains it', () => {
  const notification = composeNotification([notice()], 'https://verify.example.com');
  assert.equal(notification.subject, '[Countersign] Firing: Conversion fell (Acme)');
  assert.match(notification.text, /^Of the codes to Germany, 40 % were confirmed\.$/m);
  assert.match(
    notification.text,
    /^https:\/\/verify\.example\.com\/portal\/accounts\/acc_1\/overview\?country=DE$/m,
  );
  assert.match(notification.html, /<a href="https:\/\/verify\.example\.com\/portal/);
  const body = JSON.parse(notification.body);
  assert.equal(body.event, 'alert.firing');
  assert.match(body.text, /Conversion fell \(Acme\)/);
  assert.deepEqual(
    [body.alerts[0].rule, body.alerts[0].account_id, body.alerts[0].subject, body.alerts[0].state],
    ['conversion-fell', 'acc_1', 'country DE', 'firing'],
  );
  // Mattermost takes `type` for the kind of the post, and refuses what it does not know.
  assert.equal(body.type, undefined);
});

test('many notices are one notification that says how many, and not each of them', () => {
  const many = Array.from({ length: 50 }, (_, n) =>
    notice({ alert: `alr_${n}` }, { id: `aln_${n}`, kind: n % 2 === 0 ? 'firing' : 'recovered' }),
  );
  const { subject, text, body } = composeNotification(many, undefined);
  assert.equal(subject, '[Countersign] 50 alerts: 25 firing, 25 over');
  assert.match(text, /And 30 more/);
  assert.equal(JSON.parse(body).alerts.length, 20);
  assert.equal(JSON.parse(body).more, 30);
});

test('a notification has the same name at every try, and another for other notices', () => {
  const [one, two] = [notice(), notice({}, { id: 'aln_2' })];
  assert.equal(
    composeNotification([one, two], undefined).id,
    composeNotification([one, two], 'https://x.example').id,
  );
  assert.notEqual(composeNotification([one], undefined).id, composeNotification([one, two], undefined).id);
});

const BREAKS = ['\r\n', '\n', '\r', '\0', '\u2028', '\u2029', '\u202e', '\u200b', '\x7f', '\x85'];
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...BREAKS, '<b>', '&amp;', '"', '@all', '<!channel>'), anyText()))
  .map((parts) => parts.join(''));

test('whatever names say, a subject is one line, a page has no tags of theirs, and a chat hears no command', () => {
  fc.assert(
    fc.property(nasty, nasty, (account, detail) => {
      const { subject, html, body, text } = composeNotification([notice({ account, detail })], undefined);
      assert.doesNotMatch(subject, /[\p{Cc}\p{Zl}\p{Zp}]/u);
      assert.ok([...subject].length <= 150);
      assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Zl}\p{Zp}]/u);
      const tags = html.match(/<[^>]*>/g) ?? [];
      const known =
        /^<(!doctype html|html lang="en"|meta charset="utf-8"|body|\/?h2|\/?p|br|\/(body|html))>$/;
      assert.deepEqual(
        tags.filter((tag) => !known.test(tag)),
        [],
      );
      assert.doesNotMatch(JSON.parse(body).text, /[<>@]/);
    }),
  );
});

test('a line keeps what can be seen', () => {
  assert.equal(oneLine(' Ünïcode\r\nBcc: x@example.com '), 'Ünïcode Bcc: x@example.com');
});
