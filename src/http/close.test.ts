import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestAnswer } from '../core/verification/request.ts';
import { connectTls, createFixture, KEY, NUMBER, readToEnd } from './fixture.ts';

const BODY = JSON.stringify({ destination: NUMBER, channel: 'sms' });
const REQUEST = `POST /verify HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

describe('a graceful close', () => {
  it('answers running requests, says that the connection ends, and accepts no more', async (t) => {
    const issue = Promise.withResolvers<RequestAnswer>();
    const { app, listen, requests } = await createFixture(t, { request: issue.promise });
    const port = await listen();
    const [busy, idle] = [await connectTls(t, port), await connectTls(t, port)];
    const [answer, nothing] = [readToEnd(busy), readToEnd(idle)];
    busy.write(REQUEST);
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = app.close();
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(connectTls(t, port));
    issue.resolve({ kind: 'issued', id: 'ver_1', destination: NUMBER, channel: 'sms' });
    const text = await answer;
    assert.match(text, /^HTTP\/1\.1 200 OK/);
    assert.match(text, /connection: close/i);
    assert.equal(await nothing, '');
    await closed;
  });

  it('cuts off what does not end in time', async (t) => {
    const { app, listen, requests } = await createFixture(
      t,
      { request: new Promise(() => {}) },
      {},
      { closeMs: 20 },
    );
    const busy = await connectTls(t, await listen());
    const answer = readToEnd(busy);
    busy.write(REQUEST);
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await app.close();
    assert.equal(await answer, '');
  });
});
