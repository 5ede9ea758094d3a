import { Stack, Table, Text } from '@mantine/core';
import type { BacktestAnswer } from '#contract/guard.ts';
import { countryName } from '../../format/country.ts';
import { reasonWords } from '../../format/guard.ts';
import { formatCount, formatMoney } from '../../format/number.ts';
import { formatMinute } from '../../format/time.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';

const REFUSED = ['Would be refused', 'Their cost', 'People turned away'];
const COUNTED = ['Requests', ...REFUSED, 'People who confirmed'];

/** What a back-test found. */
export function Tried({ answer }: { readonly answer: BacktestAnswer }) {
  const { from, to, currency, cut, skipped, whole, countries, rules } = answer;
  const cellsOf = ({ refused, saved, turned_away }: (typeof rules)[number] | typeof whole) => [
    formatCount(refused),
    formatMoney(saved, currency),
    formatCount(turned_away),
  ];
  return (
    <Stack role="status" aria-label="What the guard would have done">
      {from === null || to === null ? (
        <Empty title="There is nothing to try it on">No codes were sent with live keys in this time.</Empty>
      ) : (
        <>
          <Text>
            From {formatMinute(from)} to {formatMinute(to)}, {formatCount(whole.requests)} requests cost{' '}
            {formatMoney(whole.spent, currency)}. The guard would have refused {formatCount(whole.refused)} of
            them, which cost {formatMoney(whole.saved, currency)}.
          </Text>
          <Text fw={600}>
            {formatCount(whole.turned_away)} of {formatCount(whole.confirmed)} people who confirmed would have
            been turned away.
          </Text>
          <ScrollingTable label="By country" columns={['Country', ...COUNTED]} figures={COUNTED} stacked>
            {countries.map(({ country, ...figures }) => (
              <Row
                key={country}
                name={countryName(country)}
                columns={COUNTED}
                cells={[formatCount(figures.requests), ...cellsOf(figures), formatCount(figures.confirmed)]}
              />
            ))}
          </ScrollingTable>
          {rules.length > 0 && (
            <ScrollingTable label="By reason" columns={['Reason', ...REFUSED]} figures={REFUSED} stacked>
              {rules.map((figures) => (
                <Row
                  key={figures.rule}
                  name={reasonWords(figures.rule)}
                  columns={REFUSED}
                  cells={cellsOf(figures)}
                />
              ))}
            </ScrollingTable>
          )}
        </>
      )}
      {cut && (
        <Text size="sm" c="dimmed">
          The service has sent more than can be tried at once. This is the oldest part: choose a shorter time.
        </Text>
      )}
      {skipped > 0 && (
        <Text size="sm" c="dimmed">
          {formatCount(skipped)} requests were left out, because their numbers cannot be read any more.
        </Text>
      )}
    </Stack>
  );
}

interface RowProps {
  readonly name: string;
  readonly columns: readonly string[];
  readonly cells: readonly string[];
}

function Row({ name, columns, cells }: RowProps) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      {columns.map((column, index) => (
        <Table.Td key={column} data-label={column} className="number">
          {cells[index]}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
