import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { type Budget, periodOf } from '../budgets/budget.ts';
import { createBudgets } from '../budgets/budgets.ts';
import { createVerifierRig, LIVE, NUMBER, TEST, type VerifierRig } from './fixture.ts';

const CENT = 10_000;

let rig: VerifierRig;
function budgetsOf(...budgets: readonly Budget[]): void {
  rig.findBudgets = createBudgets(budgets, (_, { destination }) =>
    destination.country === 'DE' ? 5 * CENT : undefined,
  );
}

suite('budgets of a request', () => {
  beforeEach(() => {
    rig = createVerifierRig();
  });

  test('what the message may cost is reserved with it, in the period of the store’s clock', async () => {
    budgetsOf({ of: 'account', per: 'hour', money: 100 * CENT });
    assert.equal((await rig.ask()).kind, 'issued');
    const [verification] = rig.issued;
    const { startsAt, endsAt } = periodOf('hour', rig.clock.now());
    assert.deepEqual(verification?.reservation, {
      charges: [
        {
          kind: 'account',
          subject: 'acc_1',
          per: 'hour',
          money: 100 * CENT,
          messages: null,
          startsAt,
          endsAt,
        },
      ],
      prices: { smsc: 5 * CENT },
    });
  });

  test('nothing is reserved without a budget, or with a test key', async () => {
    await rig.ask();
    budgetsOf({ of: 'installation', per: 'day', messages: 1 });
    await rig.ask(NUMBER, TEST);
    assert.deepEqual(
      rig.issued.map(({ reservation }) => reservation),
      [undefined, undefined],
    );
  });

  test('the account’s own budgets apply, too', async () => {
    budgetsOf();
    const settings = {
      ...{ brand: null, locale: null, codeLength: null, countries: [] },
      ...{ sendsPerDestination: [], failedGuessesPerDestination: [] },
      budgets: [{ of: 'country', per: 'day', messages: 3 }],
    } as const;
    await rig.ask(NUMBER, { ...LIVE, settings });
    assert.deepEqual(
      rig.issued[0]?.reservation?.charges.map(({ kind, subject, messages }) => [kind, subject, messages]),
      [['account country', 'acc_1 DE', 3]],
    );
  });

  test('a budget without room is named, and the message is not sent', async () => {
    budgetsOf({ of: 'installation', per: 'month', money: CENT }, { of: 'key', per: 'day', money: CENT });
    rig.answerIssue = async () => ({ kind: 'exhausted', charge: 1, retryAfterMs: 7 });
    const { endsAt } = periodOf('day', rig.clock.now());
    assert.deepEqual(await rig.ask(), { kind: 'exhausted', budget: 'key per day', endsAt, retryAfterMs: 7 });
    assert.deepEqual(rig.handedOver, []);
    assert.deepEqual(rig.told, ['exhausted key']);
  });

  test('a budget that is nearly used is told, and the message is sent', async () => {
    budgetsOf({ of: 'installation', per: 'month', money: CENT }, { of: 'key', per: 'day', money: CENT });
    rig.answerIssue = async () => ({ kind: 'issued', nearlyUsed: [0, 1] });
    assert.equal((await rig.ask()).kind, 'issued');
    assert.equal(rig.handedOver.length, 1);
    assert.deepEqual(rig.told.slice(0, 2), ['nearly used installation', 'nearly used key']);
  });

  test('without a price a message that money is counted for is refused, and nothing is written', async () => {
    budgetsOf({ of: 'installation', per: 'day', money: CENT });
    const answer = await rig.ask('+33612345678');
    assert.ok(answer.kind === 'invalid' && answer.field === 'destination' && answer.code === 'no_price');
    assert.deepEqual(rig.issued, []);
  });
});
