/** Asks no carrier that may cost more than its message holds: what is lacking is reserved first, or the carrier is passed over. */
import { chargeOf } from '../core/budgets/budget.ts';
import type { FindLack, Funds, LackAsked } from '../core/budgets/funds.ts';
import { StoreFailure } from '../core/errors/store-failure.ts';
import type { DeliveryQueue } from '../core/sending/delivery.ts';
import type { Gate } from './gate/gate.ts';
import { NO_PRICE, NO_ROOM, pass } from './gate/gate-answer.ts';
import type { LeasedDelivery } from './leased-delivery.ts';
import type { Choice } from './round.ts';

type Asked = Pick<LackAsked, 'message' | 'createdAt'>;

/** The same choices where nothing is lacking, which is so unless the configuration has changed since the message was accepted. */
export function withinBudgets(
  choices: readonly Choice[],
  leased: LeasedDelivery,
  asked: Asked,
  findLack: FindLack,
  queue: Pick<DeliveryQueue, 'reserveMore'>,
): readonly Choice[] {
  const lackAt = (carrier: string, funds: Funds) => findLack({ ...asked, funds, carrier });
  const guarded = (gate: Gate): Gate => ({
    name: gate.name,
    silent: gate.silent,
    admits: gate.admits,
    takesBack: gate.takesBack,
    async submit(message, still, elsewhere) {
      const more = lackAt(gate.name, leased.funds);
      if (more === 'no-price') return pass(NO_PRICE);
      if (more !== undefined) {
        const answer = await queue
          .reserveMore({ id: leased.id, fence: leased.fence, more })
          .catch((error: unknown) => {
            if (error instanceof StoreFailure) return 'store away' as const;
            throw error;
          });
        if (typeof answer === 'object') return { ...pass(NO_ROOM), full: chargeOf(more, answer.full) };
        if (answer !== 'reserved') return pass(answer);
        leased.fund(more);
      }
      return gate.submit({ ...message, reserved: true }, still, elsewhere);
    },
    revoke: gate.revoke,
    abort: gate.abort,
  });
  return choices.map((choice) =>
    lackAt(choice.gate.name, leased.funds) === undefined ? choice : { ...choice, gate: guarded(choice.gate) },
  );
}
