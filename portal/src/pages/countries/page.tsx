import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/call.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { FindBar } from '../../parts/form/find-bar.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Loading } from '../../parts/page/loading.tsx';
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
  const rows = useRows(span);
  const mayChange = useMay('owner');
  const wanted = search.get('change');
  const row = rows.data?.all.find(({ country }) => country === wanted);
  const change = ({ country }: CountryRow) => setSearch({ change: country });
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
      <Answer of={rows} lines={8}>
        {({ currency, all }) => (
          <FoundCountries
            {...{ currency, mayChange, change }}
            text={text}
            rows={findRows(all, text)}
            span={span}
          />
        )}
      </Answer>
      {mayChange && row !== undefined && <ChangeDialog key={row.country} row={row} onClose={close} />}
    </Page>
  );
}

interface Span {
  readonly from: string;
  readonly to: string;
}

/** The countries with what the account chose and sent. */
function useRows(span: Span) {
  const { id } = useAccount();
  return useQuery({
    queryKey: ['countries', id, span],
    queryFn: async ({ signal }) => {
      const [view, { settings }, parts] = await Promise.all([
        call('GET accounts/:account/countries', id, {}, signal),
        call('GET accounts/:account/settings', id, {}, signal),
        call('GET accounts/:account/overview/parts', id, { query: { ...span, test: 'false' } }, signal),
      ]);
      return { currency: view.currency, all: rowsOf(view, settings, parts) };
    },
  });
}

interface FoundCountriesProps {
  readonly text: string;
  readonly rows: readonly CountryRow[];
  readonly span: Span;
  readonly currency: string;
  readonly mayChange: boolean;
  readonly change: (row: CountryRow) => void;
}

function FoundCountries({ text, rows, span, ...rest }: FoundCountriesProps) {
  const account = useAccount();
  const asked = useQuery({
    queryKey: ['country rules'],
    queryFn: readAsked,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // What a country asks of senders makes its row higher.
  if (asked.isPending) return <Loading />;
  if (rows.length === 0) {
    return (
      <Empty title={text === '' ? 'No codes in 30 days' : 'No such country'}>
        Find a country by its name to see its price and its rules, or to stop it.
      </Empty>
    );
  }
  const behind = listBehind(account.id, span, { test: 'false' });
  return <CountryTable {...{ rows, behind, ...rest }} asked={asked.data ?? new Map()} />;
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
