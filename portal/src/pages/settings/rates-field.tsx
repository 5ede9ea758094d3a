import { Input, NativeSelect, Text } from '@mantine/core';
import { useAccountId } from '../../frame/account.ts';
import { RowsField } from '../../parts/form/rows-field.tsx';
import { type Ceiling, rateWords, readRate, UNITS, whatIsWrong, writeRate } from './rates.ts';

interface RatesFieldProps {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly rates: readonly string[] | null;
  readonly ceiling: Ceiling;
}

/** So many in a period, several at once. Beside them stands what holds anyway, and who can change that. */
export function RatesField({ name, label, about, rates, ceiling }: RatesFieldProps) {
  const account = useAccountId();
  return (
    <RowsField
      name={name}
      label={label}
      description={
        <>
          {about} In effect: {ceiling.limits.map(rateWords).join(', ')}, as the operator set it for{' '}
          {ceiling.of === 'account'
            ? 'this account'
            : `all accounts (for this one: accounts.${account}.limits)`}
          . Here you can set stricter ones.
        </>
      }
      rows={(rates ?? []).map(readRate)}
      added={{ max: '3', length: '1', unit: 'h' }}
      most={5}
      add="Add a limit"
      write={writeRate}
      tell={(rate, code) => whatIsWrong(rate, code, ceiling)}
    >
      {({ value: rate, label: row, change, checked }) => (
        <>
          <Input
            {...checked}
            {...{ type: 'number', min: 1, max: 1_000_000, required: true, size: 'xs', w: 90 }}
            aria-label={`${row}: at most`}
            value={rate.max}
            onChange={(event) => change({ ...rate, max: event.currentTarget.value })}
          />
          <Text size="sm">in</Text>
          <Input
            {...{ type: 'number', min: 1, max: 999_999, required: true, size: 'xs', w: 80 }}
            aria-label={`${row}: length of the period`}
            value={rate.length}
            onChange={(event) => change({ ...rate, length: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            aria-label={`${row}: unit of the period`}
            data={UNITS}
            value={rate.unit}
            onChange={(event) => change({ ...rate, unit: event.currentTarget.value })}
          />
        </>
      )}
    </RowsField>
  );
}
