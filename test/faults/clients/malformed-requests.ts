/** Generators of requests that no sane client sends. */
import fc from 'fast-check';
import { anyText } from '../../../src/core/text/any-text-fixture.ts';

/** The bytes of one whole request. `framed` ones end where they say, so that others can follow on the same connection. */
export interface HostileRequest {
  readonly bytes: Buffer;
}

const DESTINATION = '+4915112345678';
const GOOD = JSON.stringify({ destination: DESTINATION, channel: 'sms', id: 'ver_x', code: '123456' });

const text = (value: string) => Buffer.from(value);
const json = (value: unknown) => text(JSON.stringify(value));

/** Any wrong value for a field. */
const odd = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(
    null,
    [],
    {},
    '',
    ' ',
    '\u0000',
    '\ud800',
    '+',
    '+0',
    'sip:',
    'tel:',
    DESTINATION.repeat(20),
    -0,
    Number.MAX_VALUE,
  ),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.record({ toString: fc.string(), length: fc.integer() }),
);

const channel = fc.oneof(fc.constantFrom('sms', 'voice', 'SMS', 'fax', '__proto__', 'constructor'), odd);

const shaped = fc
  .record(
    {
      destination: odd,
      channel,
      id: odd,
      code: odd,
      constructor: odd,
      prototype: odd,
      extra: fc.anything({ maxDepth: 2, maxKeys: 3 }),
    },
    { requiredKeys: [] },
  )
  .map((value) =>
    text(JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member))),
  );

const polluted = fc
  .tuple(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'), odd)
  .map(([name, value]) =>
    text(`{"${name}":${JSON.stringify(value) ?? 'null'},"destination":{"${name}":{}},"channel":"sms"}`),
  );

const duplicated = odd.map((value) =>
  text(
    `{"destination":"${DESTINATION}","destination":${JSON.stringify(value) ?? 'null'},"channel":"sms","channel":7,"id":1,"id":"x"}`,
  ),
);

const nested = fc
  .tuple(fc.integer({ min: 1, max: 8_000 }), fc.constantFrom('[', '{"destination":', '{"a":['))
  .map(([depth, opening]) => text(opening.repeat(depth).slice(0, 16_000)));

const truncated = fc.integer({ min: 0, max: GOOD.length - 1 }).map((end) => text(GOOD.slice(0, end)));

/** The valid body with some bytes overwritten: often invalid UTF-8, sometimes still JSON. */
const damaged = fc
  .array(fc.tuple(fc.integer({ min: 0, max: GOOD.length - 1 }), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((changes) => {
    const body = text(GOOD);
    for (const [at, value] of changes) body[at] = value;
    return body;
  });

const notJson = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  anyText({ maxLength: 100 }).map(text),
  fc.constantFrom(
    text(`\ufeff${GOOD}`),
    Buffer.from(GOOD, 'utf16le'),
    text(`${GOOD}${GOOD}`),
    text(`${GOOD}\u0000`),
    text(GOOD.replaceAll('"', "'")),
    text('{"destination":"\\ud800","channel":"\\udfff"}'),
    text('{"destination":"\\u0000","channel":"sms"}'),
    text('NaN'),
    text('1e999999'),
    text(`[${'1,'.repeat(5_000)}1]`),
  ),
);

const huge = fc
  .tuple(
    fc.integer({ min: 1_000, max: 40_000 }),
    fc.constantFrom('destination', 'channel', 'id', 'code', 'x'),
  )
  .map(([length, field]) => json({ destination: DESTINATION, channel: 'sms', [field]: '9'.repeat(length) }));

const body = fc.oneof(
  { arbitrary: shaped, weight: 20 },
  { arbitrary: damaged, weight: 4 },
  { arbitrary: notJson, weight: 3 },
  { arbitrary: polluted, weight: 2 },
  { arbitrary: duplicated, weight: 2 },
  { arbitrary: truncated, weight: 2 },
  { arbitrary: nested, weight: 1 },
  { arbitrary: huge, weight: 1 },
);

const contentType = fc.oneof(
  { arbitrary: fc.constant('application/json'), weight: 40 },
  {
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-8',
      'application/json;charset=utf-16le',
      'application/json; charset="',
      'application/problem+json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'application/xml',
      '*/*',
      ';',
      ',',
      '/',
      '',
      'application/json, application/json',
      `application/json; ${'a=b;'.repeat(200)}`,
    ),
    weight: 3,
  },
);

const headerValue = fc.oneof(
  fc.stringMatching(/^[\t -~]{0,60}$/),
  fc.constantFrom('', 'gzip', 'chunked', 'é', '\u0080\u00ff', 'x'.repeat(3_000), '0', '-1', 'null'),
);

const header = fc.tuple(
  fc.constantFrom(
    'Idempotency-Key',
    'Accept',
    'Accept-Encoding',
    'Content-Encoding',
    'X-Forwarded-For',
    'X-Forwarded-Proto',
    'X-Request-Id',
    'Forwarded',
    'Cookie',
    'Origin',
    'Range',
    'Date',
    'TE',
    'X-HTTP-Method-Override',
    '__proto__',
    'Traceparent',
  ),
  headerValue,
);

const path = fc.constantFrom('/verify', '/confirm');

/** Correctly framed, wrong in everything else. `authorization` is the value of a valid header. */
export function framedRequests(authorization: string): fc.Arbitrary<HostileRequest> {
  const credentials = fc.oneof(
    { arbitrary: fc.constant(authorization), weight: 20 },
    {
      arbitrary: fc.constantFrom('Bearer', 'Bearer ', `${authorization}x`, 'Basic Og==', '', 'Bearer é'),
      weight: 1,
    },
  );
  return fc
    .tuple(path, credentials, contentType, fc.array(header, { maxLength: 2 }), body)
    .map(([path, credentials, type, headers, body]) => {
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${credentials}\r\nContent-Type: ${type}\r\n${lines}Content-Length: ${body.length}\r\n\r\n`;
      return { bytes: Buffer.concat([Buffer.from(head, 'latin1'), body]) };
    });
}

/** Broken framing: nothing can follow on the connection. */
export function brokenRequests(authorization: string): fc.Arbitrary<HostileRequest> {
  const good = `Host: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
  const number = fc.constantFrom(
    '-1',
    '+5',
    '0x10',
    '1e3',
    '999999999999999999999',
    '5, 5',
    '5 5',
    ' ',
    'NaN',
    '1',
    '4096',
  );
  const lengths = number.map((length) => `${good}Content-Length: ${length}\r\n\r\n${GOOD}`);
  const smuggling = number.map(
    (length) => `${good}Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${GOOD}`,
  );
  const twice = fc
    .tuple(number, number)
    .map(([a, b]) => `${good}Content-Length: ${a}\r\nContent-Length: ${b}\r\n\r\n${GOOD}`);
  const chunk = fc.constantFrom(
    'zz\r\n',
    '-1\r\nx\r\n',
    'ffffffffffffffff\r\n',
    '5;a="\r\nhello\r\n',
    '5\r\nhel',
    '5\nhello\n0\n\n',
    `5;${'x'.repeat(20_000)}\r\n`,
    '1\r\nab\r\n0\r\n\r\n',
    '0\r\nContent-Length: 5\r\n\r\n',
    '0\r\n\r\n',
  );
  const chunks = fc.tuple(chunk, chunk).map(([a, b]) => `${good}Transfer-Encoding: chunked\r\n\r\n${a}${b}`);
  const encodings = fc
    .constantFrom('gzip', 'chunked, gzip', 'identity', 'xchunked', ' ', 'chunked\r\nTransfer-Encoding: x')
    .map((coding) => `${good}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`);
  const headers = fc
    .constantFrom(
      'NoColon\r\n',
      'Bad Name: x\r\n',
      'X:\0\r\n',
      ' folded\r\n',
      ': x\r\n',
      'X: \x01\r\n',
      `X: ${'y'.repeat(70_000)}\r\n`,
      'X: y\r\n'.repeat(3_000),
      'Host: other\r\n',
      'X: a\rb\r\n',
      'X: a\nContent-Length: 3\r\n',
      'Connection: upgrade\r\nUpgrade: websocket\r\n',
      'Expect: 200-maybe\r\n',
      'Expect: 100-continue\r\n',
    )
    .map((line) => `${good}${line}Content-Length: ${GOOD.length}\r\n\r\n${GOOD}`);
  const rest = fc.oneof(lengths, smuggling, twice, chunks, encodings, headers);
  const line = fc.oneof(
    { arbitrary: path.map((path) => `POST ${path} HTTP/1.1`), weight: 6 },
    {
      arbitrary: fc.constantFrom(
        'POST /verify HTTP/1.0',
        'POST /verify HTTP/0.9',
        'POST /verify HTTP/2.0',
        'POST /verify',
        'post /verify HTTP/1.1',
        'BREW /verify HTTP/1.1',
        'CONNECT localhost:1 HTTP/1.1',
        'POST https://other/verify HTTP/1.1',
        'POST * HTTP/1.1',
        'POST /%zz HTTP/1.1',
        'POST /\0 HTTP/1.1',
        `POST /${'a'.repeat(20_000)} HTTP/1.1`,
        'POST //verify HTTP/1.1',
        'PRI * HTTP/2.0',
        '\x16\x03\x01',
        '',
        '\r\n\r\n\r\n',
      ),
      weight: 2,
    },
  );
  const request = fc.tuple(line, rest).map(([line, rest]) => `${line}\r\n${rest}`);
  const noise = fc
    .uint8Array({ minLength: 1, maxLength: 300 })
    .map((bytes) => Buffer.from(bytes).toString('latin1'));
  return fc
    .oneof({ arbitrary: request, weight: 9 }, { arbitrary: noise, weight: 1 })
    .map((bytes) => ({ bytes: Buffer.from(bytes, 'latin1') }));
}
