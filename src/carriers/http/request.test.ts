import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import Value from 'typebox/value';
import type { OutgoingMessage } from '../../core/sending/carrier.ts';
import { anyText } from '../../core/text/any-text-fixture.ts';
import { type HttpOptions, httpOptions } from './options.ts';
import { createRequestMaker } from './request.ts';

const message: OutgoingMessage = {
  id: 'ver_1',
  accountId: 'acc_1',
  test: false,
  channel: 'sms',
  destination: { address: '+4915123456789', kind: 'e164', country: 'DE' },
  code: '482913',
  text: '482913 ist dein Code',
  locale: 'de',
  expiresAt: 0,
};

const everything = '{{to}}|{{ toDigits }}|{{text}}|{{code}}|{{id}}|{{locale}}|{{channel}}|{{sender}}';
const filled = '+4915123456789|4915123456789|482913 ist dein Code|482913|ver_1|de|sms|Acme';

function optionsOf(written: Record<string, unknown>): HttpOptions {
  return Value.Decode(
    httpOptions,
    Value.Default(httpOptions, { type: 'http', url: 'http://h/sms', ...written }),
  );
}

function make(written: Record<string, unknown>, text = message.text) {
  return createRequestMaker(optionsOf(written)).make({ ...message, text });
}

suite('request of a message', () => {
  test('every placeholder, in each place', () => {
    assert.deepEqual(JSON.parse(make({ sender: 'Acme', json: [everything] }).body ?? ''), [filled]);
    const form = new URLSearchParams(make({ sender: 'Acme', form: { all: everything } }).body);
    assert.equal(form.get('all'), filled);
    const { path } = make({
      sender: 'Acme',
      method: 'GET',
      url: `http://h?all=${everything.replaceAll('|', '%7C')}`,
    });
    assert.equal(new URL(path, 'http://h').searchParams.get('all'), filled);
    const { headers } = make({ headers: { 'X-To': 'tel {{to}}' }, json: '{{code}} {{to}}' });
    assert.equal(headers['x-to'], 'tel +4915123456789');
  });

  test('JSON keeps its shape: only strings are filled in, and stay strings', () => {
    const json = { a: [{ b: { c: '{{code}}', to: '{{to}}' } }, 1, true, null, '}}', ''], d: {} };
    const expected = {
      a: [{ b: { c: message.code, to: '+4915123456789' } }, 1, true, null, '}}', ''],
      d: {},
    };
    assert.deepEqual(JSON.parse(make({ json }).body ?? ''), expected);
  });

  test('headers of the options override ours', () => {
    const { headers } = make({ json: '{{to}}{{code}}', headers: { 'Content-Type': 'application/x+json' } });
    assert.equal(headers['content-type'], 'application/x+json');
  });

  test('any text arrives intact, in JSON, form and address, within any literals', () => {
    const text = fc.oneof(
      anyText(),
      fc.constantFrom('{{code}}', '..', '"', '\\', '&=+%00', '\r\n', '$&', '\u2028'),
    );
    // TypeBox, which fills in the defaults here, drops keys of these names.
    const literal = anyText().filter((text) => !/\{|\}|^(__proto__|prototype|constructor)$/.test(text));
    fc.assert(
      fc.property(text, literal, literal, (text, before, after) => {
        const template = `${before}{{text}}${after}`;
        const expected = `${before}${text}${after}`;
        const json = make({ json: [{ [before]: template }, '{{to}}'] }, text);
        assert.deepEqual(JSON.parse(json.body ?? '')[0], { [before]: expected });
        const form = make({ form: { text: template, to: '{{to}}' } }, text);
        assert.equal(new URLSearchParams(form.body).get('text'), expected);
        const address = make({ url: 'http://h/{{text}}?to={{to}}' }, text);
        assert.equal(decodeURIComponent(address.path.slice(1).split('?')[0] ?? ''), text);
        assert.match(address.path, /^[\x21-\x7e]*$/);
      }),
    );
  });

  test('half a surrogate pair does no harm', () => {
    assert.equal(
      new URLSearchParams(make({ form: { text: '{{text}}', to: '{{to}}' } }, 'a\ud800').body).get('text'),
      'a\ufffd',
    );
  });
});

suite('options that cannot work are refused by name', () => {
  const json = { to: '{{to}}', text: '{{text}}' };
  const refused: [name: string, written: Record<string, unknown>, error: RegExp][] = [
    ['unknown placeholder', { json: { ...json, x: '{{txt}}' } }, /^json: unknown placeholder \{\{txt\}\}/],
    ['unknown in a form', { form: { x: '{{constructor}}' } }, /^form\.x: unknown placeholder/],
    ['unclosed placeholder', { json: { ...json, x: '{{to}' } }, /^json: /],
    ['unclosed in a form', { form: { ...json, x: 'a {{to' } }, /^form\.x: \{\{ is not closed/],
    ['both bodies', { json, form: json }, /^form: is set together with json/],
    ['a body with GET', { method: 'GET', json }, /^json: a GET/],
    [
      'both authorizations',
      { json, bearer: 'b', basic: { user: 'u', password: 'p' } },
      /^bearer: is set together with basic/,
    ],
    [
      'authorization twice',
      { json, bearer: 'b', headers: { Authorization: 'x' } },
      /^headers\.Authorization: /,
    ],
    ['sender not set', { json: { ...json, from: '{{sender}}' } }, /^sender: /],
    ['no number', { json: { text: '{{text}}' } }, /^json: nothing holds \{\{to\}\}/],
    ['no code', { form: { to: '{{to}}' } }, /^form: nothing holds \{\{text\}\}/],
    [
      'no end for a missed call',
      { channels: ['sms', 'flashcall'], json: { to: '{{to}}', text: '{{text}}' } },
      /^json: nothing holds \{\{code\}\}/,
    ],
    ['nothing at all', {}, /^url: nothing holds/],
    ['text in a header', { json, headers: { x: '{{text}}' } }, /^headers\.x: /],
    ['a header that is none', { json, headers: { 'x y': 'z' } }, /^headers\.x y: /],
    [
      'a header of the connection',
      { json, headers: { 'Transfer-Encoding': 'chunked' } },
      /^headers\.Transfer-Encoding: /,
    ],
    ['a header over two lines', { json, headers: { x: 'a\r\nb: c' } }, /^headers\.x: /],
    [
      'a host that varies',
      { json, url: 'http://{{id}}.example.com/' },
      /^url: has a placeholder in the host/,
    ],
    ['credentials in the address', { json, url: 'http://u:p@example.com/' }, /^url: holds credentials/],
    ['a fragment', { json, url: 'http://h/#x' }, /^url: a fragment/],
    ['a space in the address', { json, url: 'http://h/a b' }, /^url: path and query/],
    ['no host', { json, url: 'http:///x' }, /^url: not an/],
    ['a port that is none', { json, url: 'http://h:99999/x' }, /^url: not an/],
  ];
  for (const [name, written, error] of refused) {
    test(name, () => {
      assert.throws(
        () => createRequestMaker(optionsOf(written)),
        (thrown) => thrown instanceof Error && error.test(thrown.message),
      );
    });
  }
});
