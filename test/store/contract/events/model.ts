/** What endpoints are told, held against a naive model: a list of what happened, told to whoever wants it. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { EVENT_TYPES, type EventType } from '../../../../src/core/events/event.ts';
import type { NewVerification } from '../../../../src/core/verification/verification.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DELIVERED,
  FAILOVER,
  guessAt,
  issueOne,
  LAX,
  type OpenStore,
  openFor,
  receipt,
  SECOND,
  settlement,
  unique,
} from '../rig.ts';
import { newAccount, newEndpoint, toldTo } from './rig.ts';

type Step =
  | { readonly kind: 'issue'; readonly account: number }
  | { readonly kind: 'guess'; readonly which: number; readonly code: 'right' | 'wrong' }
  | { readonly kind: 'settle'; readonly which: number; readonly as: 'accepted' | 'delivered' | 'failed' }
  | { readonly kind: 'receive'; readonly which: number; readonly status: 'delivered' | 'undelivered' };

const ACCOUNTS = 3;
const GUESSES = 2;

const which = fc.nat(5);
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('issue' as const), account: fc.nat(ACCOUNTS - 1) }),
    fc.record({ kind: fc.constant('guess' as const), which, code: fc.constantFrom('right', 'wrong') }),
    fc.record({
      ...{ kind: fc.constant('settle' as const), which },
      as: fc.constantFrom('accepted', 'delivered', 'failed'),
    }),
    fc.record({
      ...{ kind: fc.constant('receive' as const), which },
      status: fc.constantFrom('delivered', 'undelivered'),
    }),
  ),
  { minLength: 5, maxLength: 60 },
);

/** One verification, as the model sees it. */
interface Known {
  readonly v: NewVerification;
  readonly account: number;
  readonly reference: string;
  guessesLeft: number;
  confirmed: boolean;
  settled: 'no' | 'accepted' | 'over';
  reported: boolean;
}

/** Does the steps in the store, and answers what happened by the model's rules. */
async function play(
  store: Store,
  accounts: readonly string[],
  wanted: readonly Step[],
): Promise<[number, string][]> {
  const now = Date.now();
  const known: Known[] = [];
  const happened: [number, string][] = [];
  const tell = ({ account, v }: Known, type: EventType) => happened.push([account, `${type} ${v.id}`]);
  for (const step of wanted) {
    if (step.kind === 'issue') {
      const accountId = accounts[step.account] ?? '';
      const v = await issueOne(store, { accountId, createdAt: now, guesses: GUESSES });
      const { account } = step;
      const one: Known = {
        ...{ v, account, reference: unique('ref'), guessesLeft: GUESSES },
        ...{ confirmed: false, settled: 'no', reported: false },
      };
      known.push(one);
      tell(one, 'verification.requested');
      continue;
    }
    const one = known.at(-1 - step.which);
    if (one === undefined) continue;
    const { v, reference } = one;
    if (step.kind === 'guess') {
      await store.confirm(guessAt(v, step.code));
      if (one.confirmed || one.guessesLeft === 0) continue;
      one.guessesLeft -= 1;
      one.confirmed = step.code === 'right';
      if (one.confirmed) tell(one, 'verification.confirmed');
      else if (one.guessesLeft === 0) tell(one, 'verification.exhausted');
    } else if (step.kind === 'settle') {
      if (one.settled !== 'no') continue;
      if (step.as === 'failed') {
        await store.settle(settlement(v, { kind: 'failed' }, [{ outcome: 'permanent', reason: 'no' }]));
        // A confirmation has ended the delivery.
        if (!one.confirmed) tell(one, 'delivery.failed');
        one.settled = 'over';
      } else {
        const next = step.as === 'accepted' ? FAILOVER : DELIVERED;
        await store.settle(settlement(v, next, [{ outcome: step.as, reference }]));
        tell(one, `delivery.${step.as}`);
        one.settled = 'accepted';
      }
    } else {
      if (one.settled !== 'accepted') continue;
      await store.receive(receipt(now + 5 * SECOND, { references: [reference], status: step.status }));
      if (!one.reported) tell(one, `delivery.${step.status}`);
      one.reported = true;
    }
  }
  await store.tellExpired(now + 3_600_000, 10_000);
  for (const one of known) if (!one.confirmed && one.guessesLeft > 0) tell(one, 'verification.expired');
  return happened;
}

export function describeEventModel(open: OpenStore): void {
  suite('events as a model tells them', () => {
    test('to endpoints with any choice of types', async (t) => {
      const { store } = await openFor(t, open, LAX);
      const choices = fc.array(fc.subarray([...EVENT_TYPES]), { minLength: ACCOUNTS, maxLength: ACCOUNTS });
      await fc.assert(
        fc.asyncProperty(steps, choices, async (wanted, types) => {
          const accounts: string[] = [];
          const hooks: string[] = [];
          for (const chosen of types) {
            const account = await newAccount(store);
            accounts.push(account);
            hooks.push(await newEndpoint(store, account, chosen));
          }
          const happened = await play(store, accounts, wanted);
          for (const [index, hook] of hooks.entries()) {
            const chosen = types[index] ?? [];
            const expected = happened
              .filter(([account, told]) => account === index && wants(chosen, told))
              .map(([, told]) => told);
            const told = await toldTo(store, hook);
            // Codes that expire together are told of in any order.
            const ends = (list: readonly string[]) =>
              list.filter((each) => each.startsWith('verification.expired'));
            const others = (list: readonly string[]) =>
              list.filter((each) => !each.startsWith('verification.expired'));
            assert.deepEqual(others(told), others(expected));
            assert.deepEqual(ends(told).sort(), ends(expected).sort());
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}

const wants = (types: readonly EventType[], told: string): boolean =>
  types.length === 0 || types.some((type) => told.startsWith(`${type} `));
