import { Input, NativeSelect, Text } from '@mantine/core';
import { RowsField } from '../../parts/form/rows-field.tsx';

interface Budget {
  readonly of: string;
  readonly amount: string;
  /** Whether it counts messages, rather than money. */
  readonly unit: 'money' | 'messages';
  readonly per: string;
}

interface BudgetsFieldProps {
  readonly budgets: readonly string[] | null;
  readonly currency: string;
}

const HOLDERS = [
  { value: 'account', label: 'The account' },
  { value: 'key', label: 'Each key' },
  { value: 'country', label: 'Each country' },
];
const PERIODS = ['hour', 'day', 'month'].map((value) => ({ value, label: `per ${value}` }));

/** What messages may cost, or how many there may be, per period and holder. */
export function BudgetsField({ budgets, currency }: BudgetsFieldProps) {
  return (
    <RowsField
      name="budgets"
      label="Budgets"
      description="What messages may cost, or how many there may be, per hour, day or month (UTC). The service’s budgets apply as well."
      rows={(budgets ?? []).map(read)}
      added={{ of: 'account', amount: '50', unit: 'money', per: 'day' }}
      most={10}
      add="Add a budget"
      write={({ of, amount, unit, per }) =>
        `${of} ${amount}${unit === 'messages' ? ' messages' : ''} per ${per}`
      }
      tell={({ unit }) =>
        unit === 'messages'
          ? 'The number of messages must be a whole number above zero.'
          : 'The amount must be above zero, with at most 6 decimal places.'
      }
    >
      {({ value: budget, label, change, checked }) => (
        <>
          <NativeSelect
            size="xs"
            aria-label={`${label}: whose`}
            data={HOLDERS}
            value={budget.of}
            onChange={(event) => change({ ...budget, of: event.currentTarget.value })}
          />
          <Text size="sm">at most</Text>
          <Input
            {...checked}
            {...{ type: 'number', min: 0, step: 'any', required: true, size: 'xs', w: 100 }}
            aria-label={`${label}: amount`}
            value={budget.amount}
            onChange={(event) => change({ ...budget, amount: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            aria-label={`${label}: what it counts`}
            data={[
              { value: 'money', label: currency },
              { value: 'messages', label: 'messages' },
            ]}
            value={budget.unit}
            onChange={(event) =>
              change({ ...budget, unit: event.currentTarget.value === 'messages' ? 'messages' : 'money' })
            }
          />
          <NativeSelect
            size="xs"
            aria-label={`${label}: period`}
            data={PERIODS}
            value={budget.per}
            onChange={(event) => change({ ...budget, per: event.currentTarget.value })}
          />
        </>
      )}
    </RowsField>
  );
}

function read(text: string): Budget {
  const [, of = 'account', amount = '', messages, per = 'day'] =
    /^(\w+) ([\d.]+)( messages)? per (\w+)$/.exec(text) ?? [];
  return { of, amount, unit: messages === undefined ? 'money' : 'messages', per };
}
