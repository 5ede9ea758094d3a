import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { answer, flood, type Gateway, hang, reset, startGateway } from '../../test/carriers/gateway.ts';
import { freePort } from '../../test/free-port.ts';
import { SYSTEM_CLOCK } from '../core/seams/clock.ts';
import { SYSTEM_RANDOM } from '../core/seams/random.ts';
import { Exporter, type ExporterOptions } from './exporter.ts';
import { KIND, Span } from './span.ts';

const span = () =>
  new Span(
    { name: 'one', kind: KIND.internal, attributes: {}, startedAt: 0 },
    { traceId: '', spanId: '', sampled: true },
    () => {},
  );

suite('the exporter', () => {
  let collector: Gateway;
  let noted: string[];

  before(async () => {
    collector = await startGateway();
  });
  after(() => collector.close());
  beforeEach(() => {
    noted = [];
  });

  const open = (options: Partial<ExporterOptions> = {}) =>
    new Exporter({
      clock: SYSTEM_CLOCK,
      random: SYSTEM_RANDOM,
      url: `${collector.url}/v1/traces`,
      headers: {},
      timeoutMs: 5_000,
      queueSize: 10,
      batchSize: 4,
      delayMs: 60_000,
      backoffMs: 1,
      encode: (spans) => `${spans.length}`,
      note: (result, count, why) =>
        noted.push([result, count, ...(why === undefined ? [] : [why])].join(' ')),
      ...options,
    });

  /** What a collector was sent by an exporter of so many spans that then ends. */
  const exported = async (exporter: Exporter, spans = 1): Promise<string[]> => {
    const before = collector.requests.length;
    for (let i = 0; i < spans; i++) exporter.add(span());
    await exporter.close();
    return collector.requests.slice(before).map(({ body }) => body);
  };

  test('spans go in batches, and the rest at the end', async () => {
    collector.play(answer(200, {}));
    assert.deepEqual(await exported(open(), 10), ['4', '4', '2']);
    assert.deepEqual(noted, ['exported 4', 'exported 4', 'exported 2']);
  });

  test('a span waits for others as long as it is told to', async () => {
    collector.play(answer(200, {}));
    const exporter = open({ delayMs: 1 });
    const sent = new Promise<void>((resolve) => {
      collector.play((response) => {
        response.end('{}');
        resolve();
      });
    });
    exporter.add(span());
    // What waits for a collector keeps no process alive, so something else must.
    const alive = setInterval(() => {}, 1_000);
    await sent;
    clearInterval(alive);
    await exporter.close();
    assert.deepEqual(noted, ['exported 1']);
  });

  test('what does not fit is dropped and counted', async () => {
    collector.play(answer(200, {}));
    const bodies = await exported(open({ queueSize: 3, batchSize: 3 }), 8);
    assert.deepEqual(bodies, ['3', '3']);
    assert.equal(noted.filter((line) => line === 'dropped 1 their queue is full').length, 2);
  });

  test('an answer without an end is not waited for', async () => {
    collector.play(flood(200));
    await exported(open());
    assert.deepEqual(noted, ['exported 1']);
  });

  test('what OTLP says may be sent again is sent again, after the wait that the collector asks for', async () => {
    for (const status of [429, 502, 503, 504]) {
      collector.play(answer(status, '', { 'retry-after': '0' }), answer(200));
      assert.deepEqual(await exported(open({ backoffMs: 60_000 })), ['1', '1'], String(status));
    }
    const past = new Date(0).toUTCString();
    collector.play(answer(503, '', { 'retry-after': past }), answer(200));
    assert.equal((await exported(open({ backoffMs: 60_000 }))).length, 2);
    collector.play(reset, answer(200));
    assert.equal((await exported(open())).length, 2);
    assert.deepEqual(new Set(noted), new Set(['exported 1']));
  });

  test('what it says may not is not, a redirect neither; tries end', async () => {
    for (const status of [400, 401, 404, 500, 307]) {
      collector.play(answer(status, '', { location: '/elsewhere' }));
      assert.deepEqual(await exported(open()), ['1'], String(status));
    }
    collector.play(answer(503));
    assert.equal((await exported(open())).length, 5);
    collector.play(answer(503, '', { 'retry-after': '31' }));
    assert.equal((await exported(open())).length, 1);
    assert.deepEqual(
      noted,
      [400, 401, 404, 500, 307, 503, 503].map((status) => `dropped 1 the collector answers ${status}`),
    );
  });

  test('a collector that takes only a part says how much', async () => {
    collector.play(answer(200, { partialSuccess: { rejectedSpans: '3', errorMessage: 'no' } }));
    await exported(open(), 4);
    assert.deepEqual(noted, ['exported 1', 'dropped 3 the collector rejected them']);
    noted = [];
    for (const body of [
      'not JSON',
      { partialSuccess: {} },
      { partialSuccess: { rejectedSpans: 'x' } },
      'null',
    ]) {
      collector.play(answer(200, body));
      await exported(open());
    }
    assert.deepEqual(new Set(noted), new Set(['exported 1']));
  });

  test('a collector that hangs holds up neither those who add nor, for long, the end', async () => {
    collector.play(hang);
    const exporter = open({ closeMs: 20 });
    const began = performance.now();
    for (let i = 0; i < 40; i++) exporter.add(span());
    assert.ok(performance.now() - began < 1_000);
    await exporter.close();
    assert.ok(performance.now() - began < 4_000);
    // Four were on their way, ten waited.
    const dropped = noted.map((line) => Number(line.split(' ')[1])).reduce((sum, count) => sum + count, 0);
    assert.equal(dropped, 40);
    assert.equal(noted.filter((line) => line.endsWith('their queue is full')).length, 26);
    exporter.add(span());
    assert.equal(noted.length, 31);
  });

  test('why nothing came is told without the address', async () => {
    collector.play(hang);
    await exported(open({ timeoutMs: 5 }));
    await exported(open({ url: `http://127.0.0.1:${await freePort()}/secret-path` }));
    assert.deepEqual(noted, [
      'dropped 1 the collector: timed out',
      'dropped 1 the collector: connection failed: ECONNREFUSED',
    ]);
  });
});
