import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parseForwarded, readWays } from './forwarded.ts';

const parse = (header: string) => parseForwarded(header)?.map((element) => Object.fromEntries(element));

suite('Forwarded', () => {
  test('is read as RFC 7239 writes it', () => {
    assert.deepEqual(parse('for="_gazonk"'), [{ for: '_gazonk' }]);
    assert.deepEqual(parse('For="[2001:db8:cafe::17]:4711"'), [{ for: '[2001:db8:cafe::17]:4711' }]);
    assert.deepEqual(parse('for=192.0.2.60;proto=http;by=203.0.113.43'), [
      { for: '192.0.2.60', proto: 'http', by: '203.0.113.43' },
    ]);
    assert.deepEqual(parse('for=192.0.2.43, for=198.51.100.17'), [
      { for: '192.0.2.43' },
      { for: '198.51.100.17' },
    ]);
  });

  test('a malformed header is not trusted', () => {
    for (const header of [
      'https',
      'proto',
      'proto=',
      'proto=ht tps',
      'proto="https',
      'proto=https"',
      'for=[2001:db8::1]',
      'proto = https',
      'proto=https;proto=http',
      'Proto=http;pROTO=https',
      'proto=https\n',
      'for="a\u0000"',
      '=https',
    ]) {
      assert.equal(parse(header), undefined, header);
    }
  });

  const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,8}$/);
  const value = fc.oneof(token, fc.stringMatching(/^[\t -~\x80-\xff]{0,12}$/));
  const element = fc.uniqueArray(fc.tuple(token, value), {
    minLength: 1,
    maxLength: 4,
    selector: ([name]) => name.toLowerCase(),
  });
  const isToken = (text: string) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
  const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

  test('reads elements with any quoting and spacing', () => {
    const space = fc.constantFrom('', ' ', '\t ');
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), fc.boolean(), space, (elements, quoteAll, gap) => {
        const written = elements.map((pairs) =>
          pairs.map(([name, text]) => `${name}=${quoteAll || !isToken(text) ? quote(text) : text}`).join(';'),
        );
        const expected = elements.map((pairs) => pairs.map(([name, text]) => [name.toLowerCase(), text]));
        const read = parseForwarded(written.join(`${gap},${gap}`))?.map((found) => [...found]);
        assert.deepEqual(read, expected);
      }),
    );
  });

  test('whatever a client writes before it, the last element is that of the proxy, or the header is refused', () => {
    const word = { for: '192.0.2.7', proto: 'http' };
    fc.assert(
      fc.property(fc.oneof(fc.string(), value, fc.stringMatching(/^[a-z=;,"\\ ]{0,20}$/)), (forged) => {
        const read = parse(`${forged}, for=192.0.2.7;proto=http`);
        if (read !== undefined) assert.deepEqual(read.at(-1), word);
      }),
    );
  });

  test('nodes are addresses without their port', () => {
    const from = (forwarded: string) => readWays({ forwarded })[1]?.froms;
    assert.deepEqual(from('for=192.0.2.1'), ['192.0.2.1']);
    assert.deepEqual(from('for="192.0.2.1:443"'), ['192.0.2.1']);
    assert.deepEqual(from('FOR="[2001:db8::1]:_port"'), ['2001:db8::1']);
    assert.deepEqual(from('for=unknown, proto=https, for=_hidden'), ['unknown', '', '_hidden']);
    assert.deepEqual(from('proto=https'), []);
  });
});

test('the older headers are lists, whose empty entries count for nothing', () => {
  const headers = { 'x-forwarded-for': ' 192.0.2.1 , , 10.0.0.1', 'x-forwarded-proto': 'HTTPS,Http,' };
  assert.deepEqual(readWays(headers), [{ froms: ['192.0.2.1', '10.0.0.1'], protos: ['https', 'http'] }]);
  assert.deepEqual(readWays({}), [{ froms: [], protos: [] }]);
});
