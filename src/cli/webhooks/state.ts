/** Whether anything is sent to an endpoint. */
import type { NumbersChange } from '../../accounts/webhooks/change.ts';
import { disableWebhook, enableWebhook, removeWebhook } from '../../accounts/webhooks/endpoints.ts';
import type { Records } from '../../core/sql/records.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { withEndpoint } from './one.ts';

interface StateChange {
  readonly change: (records: Records, change: NumbersChange) => Promise<boolean>;
  readonly done: string;
  readonly refused: string;
}

const CHANGES = {
  enable: { change: enableWebhook, done: 'enabled', refused: 'it is not disabled' },
  disable: {
    change: (records, change) => disableWebhook(records, change, 'by-hand'),
    done: 'disabled',
    refused: 'it is disabled already',
  },
  remove: { change: removeWebhook, done: 'removed', refused: 'it is gone already' },
} as const satisfies Record<string, StateChange>;

export async function changeState(name: keyof typeof CHANGES, id: string): Promise<void> {
  const { change, done, refused } = CHANGES[name];
  if (!(await withEndpoint(await readConfiguration(), id, change))) {
    throw new CommandFailure(`${refused}; nothing was changed`);
  }
  console.log(done);
}
