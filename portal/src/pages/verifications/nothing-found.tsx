import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/call.ts';
import { looksLikeNumber } from '../../format/number-like.ts';
import { formatMinute } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Explained } from '../carriers/explained.tsx';

interface NothingFoundProps {
  readonly isFiltered: boolean;
  /** An id or a full number. */
  readonly query: string;
  /** How far back the search went; undefined if it went to the end. */
  readonly searchedTo: string | undefined;
}

/** Why a list is empty, and what to do about that. */
export function NothingFound({ isFiltered, query, searchedTo }: NothingFoundProps) {
  const account = useAccount();
  if (searchedTo !== undefined) {
    const what = isFiltered ? 'Remove some filters, or search further back.' : 'Search further back.';
    return <Empty title="Nothing matches">{`Searched back to ${formatMinute(searchedTo)}. ${what}`}</Empty>;
  }
  if (isFiltered) return <Empty title="Nothing matches">Remove some filters.</Empty>;
  if (looksLikeNumber(query)) return <NoCode number={query} />;
  if (query !== '') return <Empty title="Nothing matches">There is no verification with this id.</Empty>;
  return (
    <Empty
      title="No codes yet"
      action={
        <Button component={Link} href={`/accounts/${account.id}/handset`} size="xs">
          Send one with the handset
        </Button>
      }
    >
      Each code that your servers ask for is a row here: to which number, over which carrier, and whether it
      was confirmed. It opens what happened, step by step.
    </Empty>
  );
}

/** What was refused is in no list, so it says whether it would be refused now. */
function NoCode({ number }: { readonly number: string }) {
  const account = useAccount();
  const explained = useQuery({
    queryKey: ['explain', account.id, number],
    queryFn: ({ signal }) =>
      call('POST accounts/:account/explain', account.id, { body: { number, channel: 'sms' } }, signal),
    // A number is not kept after the search.
    gcTime: 0,
  });
  return (
    <Stack>
      <Empty title="No code was sent to this number">
        No request for it is kept. If your servers asked for one, it was refused: this is what would become of
        an SMS now.
      </Empty>
      <Answer of={explained}>{(answer) => <Explained answer={answer} />}</Answer>
      <Text size="sm">
        <Link href={`/accounts/${account.id}/carriers?view=routes`}>
          Explain it for another channel or key
        </Link>
      </Text>
    </Stack>
  );
}
