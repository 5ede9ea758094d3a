import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { MemberFilters } from '#contract/members.ts';
import { addressOf, call } from '../../api/call.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { FindBar } from '../../parts/form/find-bar.tsx';
import { OlderButton } from '../../parts/older-button.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Section } from '../../parts/page/page.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { MemberTable } from './member-table.tsx';
import { ROLES, roleOf } from './roles.ts';

export function FoundPeople({ meId }: { readonly meId: string }) {
  const account = useAccount();
  const mayChange = useMay('owner');
  const [search, setSearch] = useSearchParams();
  const [text, find] = useState('');
  const role = search.get('role');
  const filters = { ...(text !== '' && { text }), ...(role && { role: roleOf(role) }) };
  const isNarrowed = Object.keys(filters).length > 0;
  const people = usePeople(filters);
  const file = addressOf('GET accounts/:account/members.csv', account.id, { query: filters });
  return (
    <>
      <FindBar
        label="Name or email address"
        placeholder="Such as @example.com"
        typed={text}
        find={find}
        isNarrowed={isNarrowed}
        clear={() => setSearch(new URLSearchParams())}
        beside={
          <Button component="a" href={file} download size="xs" variant="default">
            {isNarrowed ? 'Export what matches' : 'Export'} as CSV
          </Button>
        }
      >
        <NativeSelect
          size="xs"
          label="With the role"
          value={role ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setSearch(new URLSearchParams(value === '' ? {} : { role: value }))
          }
          data={[{ value: '', label: 'Any' }, ...ROLES]}
        />
      </FindBar>
      <Answer of={people}>
        {({ members, invitations }) => (
          <>
            <Section title="Members">
              {members.length === 0 ? (
                <Empty title="Nobody matches">Remove some filters, or look for less.</Empty>
              ) : (
                <MemberTable members={members} meId={meId} mayChange={mayChange} />
              )}
              <OlderButton list={people}>Show more people</OlderButton>
            </Section>
            {invitations.length > 0 && (
              <Section title="Invitations" about="Not accepted yet.">
                <InvitationTable invitations={invitations} mayChange={mayChange} />
              </Section>
            )}
          </>
        )}
      </Answer>
    </>
  );
}

function usePeople(filters: MemberFilters) {
  const account = useAccount();
  return useInfiniteQuery({
    queryKey: ['people', account.id, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === '' ? filters : { ...filters, before: pageParam };
      return call('GET accounts/:account/members', account.id, { query }, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => ({
      members: pages.flatMap(({ members }) => members),
      invitations: pages.flatMap(({ invitations }) => invitations),
    }),
  });
}
