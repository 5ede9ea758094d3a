import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAsk } from '../../api/hooks.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { FindBar } from '../../parts/form/find-bar.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page } from '../../parts/page/page.tsx';
import { listBehind } from '../overview/behind.ts';
import { AllowDialog } from './allow-dialog.tsx';
import { CountryTable } from './country-table.tsx';
import { type CountryRow, findRows, rowsOf } from './rows.ts';
import { StopDialog } from './stop-dialog.tsx';

const NAMES = 'names: ';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Where codes go, what that costs, and how many are confirmed. `?change=BR` asks about Brazil at once. */
export default function Countries() {
  const [search, setSearch] = useSearchParams();
  const [text, find] = useState('');
  // Whole hours: each look would ask another question otherwise.
  const [to] = useState(() => Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
  const span = { from: new Date(to - 30 * DAY_MS).toISOString(), to: new Date(to).toISOString() };
  const countries = useAsk('GET accounts/:account/countries', {});
  const settings = useAsk('GET accounts/:account/settings', {});
  const parts = useAsk('GET accounts/:account/overview/parts', { query: { ...span, test: 'false' } });
  const asked = useQuery({
    queryKey: ['country rules'],
    queryFn: readAsked,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const account = useAccount();
  const mayChange = useMay('owner');
  const wanted = search.get('change');
  const change = (country: string) => setSearch({ change: country });
  const close = () => setSearch({}, { replace: true });
  return (
    <Page
      title="Countries"
      about="Where codes go, with the figures of the last 30 days. Switch a country off, and nothing is sent there."
    >
      <FindBar
        label="Country"
        placeholder="Such as Brazil or BR"
        typed={text}
        find={find}
        isNarrowed={text !== ''}
        clear={() => find('')}
      >
        {null}
      </FindBar>
      <Answer of={countries} lines={8}>
        {(view) => (
          <Answer of={settings} lines={8}>
            {({ settings: chosen }) => (
              <Answer of={parts} lines={8}>
                {(figures) => {
                  const rows = rowsOf(view, chosen, figures);
                  const found = findRows(rows, text);
                  const row = rows.find(({ country }) => country === wanted);
                  return (
                    <>
                      {found.length === 0 ? (
                        <Empty title={text === '' ? 'No codes in 30 days' : 'No such country'}>
                          Find a country by its name to see its price and its rules, or to stop it.
                        </Empty>
                      ) : (
                        <CountryTable
                          {...{ currency: view.currency, mayChange }}
                          rows={found}
                          asked={asked.data ?? new Map()}
                          behind={listBehind(account.id, span, { test: 'false' })}
                          change={({ country }) => change(country)}
                        />
                      )}
                      {mayChange && row !== undefined && (
                        <ChangeDialog key={row.country} row={row} onClose={close} />
                      )}
                    </>
                  );
                }}
              </Answer>
            )}
          </Answer>
        )}
      </Answer>
    </Page>
  );
}

/** Asks about what the country was when it was opened: its new state is on the page before the dialog is gone. */
function ChangeDialog({ row, onClose }: { readonly row: CountryRow; readonly onClose: () => void }) {
  const [{ country, name, sending }] = useState(row);
  if (sending.kind === 'service') return null;
  if (sending.kind === 'on') return <StopDialog country={country} onClose={onClose} />;
  const stops = sending.kind === 'stopped' ? sending.stops : undefined;
  return <AllowDialog {...{ country, name, stops, onClose }} />;
}

/** What each country asks of names as senders. The table has a file of its own, because only this page needs all of it. */
async function readAsked(): Promise<ReadonlyMap<string, string>> {
  const [{ COUNTRY_RULES }, { describeRule }] = await Promise.all([
    import('../../../../src/core/countries/rules.ts'),
    import('../../../../src/core/countries/describe.ts'),
  ]);
  return new Map(
    [...COUNTRY_RULES].flatMap(([country, rule]) => {
      const names = describeRule(rule).find((line) => line.startsWith(NAMES));
      return names === undefined
        ? []
        : [[country, `${names.charAt(NAMES.length).toUpperCase()}${names.slice(NAMES.length + 1)}.`]];
    }),
  );
}
