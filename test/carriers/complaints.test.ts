/** A carrier refuses the service's sender or account: another carrier takes the message, and the operator is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../service.ts';
import { answer, startGateway } from './gateway.ts';

const TO = '+4915112345678';

const FAULTS = [
  {
    fault: 'a refused sender',
    first: (url: string) => ({ type: 'telnyx', apiKey: 'key', url, sms: { from: '+12025550123' } }),
    refuses: answer(400, { errors: [{ code: '40305', title: 'refused', detail: TO }] }),
    named: '40305 sender not on the messaging profile',
  },
  {
    fault: 'a gateway without credit',
    first: (url: string) => ({ type: 'http', url, json: { to: '{{to}}', text: '{{text}}' } }),
    refuses: answer(402, { error: TO }),
    named: 'HTTP 402',
  },
];

for (const { fault, first, refuses, named } of FAULTS) {
  test(`${fault} is for the operator to correct: another carrier takes the message, log and doctor say so`, async () => {
    const faulty = await startGateway();
    const spare = await startGateway();
    faulty.play(refuses);
    spare.play(answer(201, { sid: 'r' }));
    await using service = await startService({
      config: {
        carriers: {
          first: first(faulty.url),
          spare: {
            type: 'twilio',
            accountSid: `AC${'0'.repeat(32)}`,
            authToken: 'token',
            url: spare.url,
            sms: { from: '+12025550123' },
          },
        },
        routes: [{ channel: 'sms', carriers: ['first', 'spare'] }],
      },
    });
    try {
      for (let i = 0; i < 3; i++) assert.equal((await service.client.verify(TO)).status, 200);
      await until(async () => spare.requests.length === 3);
      const doctor = async () =>
        service.command('doctor').then(
          (stdout) => stdout,
          ({ stdout }: { stdout: string }) => stdout,
        );
      await until(async () => (await doctor()).includes(named));
      assert.match(
        await doctor(),
        new RegExp(
          `^fail {2}carrier first: .* account or settings: ${named} \\(.* ago on .*\\); fix it with the carrier.*carriers\\.first$`,
          'm',
        ),
      );
      assert.match(await doctor(), /^ok {4}carrier spare: /m);

      // What runs writes its log twice a second, and what stops writes all of it.
      assert.equal(await service.stop(), 0);
      const told = service
        .logs()
        .split('\n')
        .filter((line) => line.includes(named));
      assert.equal(told.length, 1, 'once a minute');
      assert.match(told[0] ?? '', /"carrier":"first"/);
      assert.ok(!service.logs().includes(TO.slice(1)));
    } finally {
      await faulty.close();
      await spare.close();
    }
  });
}

/** Checks until it holds; gives up when that takes far too long. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
