/** Tens of thousands of malformed requests: no 5xx, no crash, no hang, and then a valid one is served. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import fc from 'fast-check';
import { freshNumber } from '../../acceptance/client.ts';
import { type Service, startService } from '../../service.ts';
import { brokenRequests, framedRequests, type HostileRequest } from './malformed-requests.ts';
import { connectRaw, type RawAnswer } from './raw-connection.ts';

const FRAMED = Number(process.env.COUNTERSIGN_TEST_MALFORMED ?? 40_000);
const BROKEN = Math.ceil(FRAMED / 25);
const CONNECTIONS = 32;
const PIPELINED = 8;
const BATCH = 2_000;

let service: Service;
let secureContext: SecureContext;
before(async () => {
  service = await startService({ config: { limits: { requestsPerKey: [] } } });
  secureContext = createSecureContext({ ca: service.ca });
});
after(() => service[Symbol.asyncDispose]());

const show = ({ bytes }: HostileRequest) => JSON.stringify(bytes.toString('latin1').slice(0, 2_000));

/** A machine that tests share may hold the service up past what it calls overload: then it has judged nothing. */
const isOverloaded = ({ status, text }: RawAnswer) =>
  status === 503 && text.startsWith('{"type":"/problems/overloaded"');
const ASK_AGAIN_MS = 250;

function assertRefused(request: HostileRequest, answer: RawAnswer): void {
  assert.ok(answer.status < 500, `${answer.status} ${answer.text} for ${show(request)}`);
  // Some nonsense is valid by chance. The rest is refused in the standard form.
  if (answer.status >= 300) assert.match(answer.text, /^\{"type":"\/problems\//, show(request));
}

/** Sends requests over kept-alive connections, several at a time on each, and checks every answer. */
async function sendFramed(requests: readonly HostileRequest[]): Promise<{ answered: number; cut: number }> {
  let next = 0;
  let answered = 0;
  let cut = 0;
  const work = async () => {
    let connection = await connectRaw(service.port, secureContext);
    /** Sends a batch until the connection ends; requests without an answer are left. */
    const send = async (batch: readonly HostileRequest[]) => {
      const { answers, open } = await connection.exchange(
        Buffer.concat(batch.map(({ bytes }) => bytes)),
        batch.length,
      );
      const unjudged: HostileRequest[] = [];
      for (const [index, request] of batch.slice(0, answers.length).entries()) {
        const answer = answers[index];
        if (answer === undefined) continue;
        if (isOverloaded(answer)) unjudged.push(request);
        else assertRefused(request, answer);
      }
      answered += answers.length - unjudged.length;
      if (!open) connection = await connectRaw(service.port, secureContext);
      if (unjudged.length > 0) await sleep(ASK_AGAIN_MS);
      return { unjudged, rest: batch.slice(answers.length) };
    };
    while (next < requests.length) {
      let batch: readonly HostileRequest[] = requests.slice(next, next + PIPELINED);
      next += batch.length;
      while (batch.length > 0) {
        const { unjudged, rest } = await send(batch);
        // A connection that ends may lose answers. Sent alone, the first unanswered request shows its own result.
        const alone = rest.length === batch.length ? rest.slice(0, 1) : [];
        const ofOne = alone.length > 0 ? await send(alone) : { unjudged: [], rest: [] };
        cut += ofOne.rest.length;
        batch = [...unjudged, ...ofOne.unjudged, ...rest.slice(alone.length)];
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return { answered, cut };
}

async function sendBroken(request: HostileRequest): Promise<void> {
  for (;;) {
    const connection = await connectRaw(service.port, secureContext);
    const { answers } = await connection.exchange(request.bytes, 1);
    connection.close();
    if (!answers.some(isOverloaded)) {
      for (const answer of answers) assert.ok(answer.status < 500, `${answer.status} for ${show(request)}`);
      return;
    }
    await sleep(ASK_AGAIN_MS);
  }
}

test('well-framed nonsense is refused', async (t) => {
  const total = { answered: 0, cut: 0 };
  const batches = fc.array(framedRequests(`Bearer ${service.key}`), { minLength: BATCH, maxLength: BATCH });
  await fc.assert(
    fc.asyncProperty(batches, async (requests) => {
      const { answered, cut } = await sendFramed(requests);
      total.answered += answered;
      total.cut += cut;
    }),
    // Shrinking two thousand requests takes too long; the message shows the one that failed.
    { numRuns: Math.ceil(FRAMED / BATCH), endOnFailure: true },
  );
  t.diagnostic(`${total.answered} answered, ${total.cut} cut off`);
  assert.ok(total.answered + total.cut >= FRAMED);
  assert.ok(total.cut <= FRAMED / 50, 'cutting off is for the few that cannot be answered');
  assert.equal((await service.client.verify(freshNumber())).status, 200);
});

test('broken framing ends in an answer or in the end of the connection', async (t) => {
  const requests = fc.sample(brokenRequests(`Bearer ${service.key}`), BROKEN);
  const rest = [...requests];
  // Many at once: requests shorter than they announce stay until the service's timeout.
  const work = async () => {
    for (let request = rest.pop(); request !== undefined; request = rest.pop()) await sendBroken(request);
  };
  await Promise.all(Array.from({ length: 400 }, work));
  t.diagnostic(`${requests.length} sent`);
  assert.equal((await service.client.verify(freshNumber())).status, 200);
});
