/** An endpoint that does not take a message between two that it takes. */
import { SECOND } from '../../model/table.ts';
import type { Begin, Situation } from './situation.ts';
import { WRITTEN, wait } from './situation.ts';

export const failsForAMoment: Begin = (s, draw) => {
  const [account, by] = draw(2) === 0 ? (['a', 'ann'] as const) : (['b', 'bob'] as const);
  return s.people.get(by)?.roles[account] === 'owner' ? takesSome(account, by) : undefined;
};

function* takesSome(account: string, by: string): Situation {
  yield { do: 'sign-in', by };
  yield { do: 'endpoint', account, status: 204 };
  yield { do: 'enable-webhook', account };
  for (const status of [204, 500, 204]) {
    yield { do: 'endpoint', account, status };
    yield { do: 'test-webhook', account };
    yield wait(WRITTEN);
    if (status === 500) yield { do: 'list', by, account, what: 'webhooks' };
  }
  yield wait(WRITTEN + SECOND);
  yield { do: 'list', by, account, what: 'webhooks' };
}
