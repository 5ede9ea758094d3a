import { Anchor, Badge, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Verification } from '#contract/verifications.ts';
import { channelName } from '../../format/channel.ts';
import { countryName } from '../../format/country.ts';
import { NONE } from '../../format/number.ts';
import { formatInstant } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { StatusBadge } from '../../parts/status.tsx';
import css from './page.module.css';

const COLUMNS = ['Requested', 'Number', 'Country', 'Status', 'Channel', 'Carrier', 'Key'];

export function VerificationTable({ verifications }: { readonly verifications: readonly Verification[] }) {
  const account = useAccount();
  return (
    <ScrollingTable label="Verifications" columns={COLUMNS} spacing={7} stacked>
      {verifications.map((verification) => (
        <Table.Tr key={verification.id}>
          <Table.Th scope="row">
            <Anchor
              component={Link}
              size="sm"
              className={css.time}
              href={`/accounts/${account.id}/verifications/${verification.id}`}
            >
              {formatInstant(verification.requested_at)}
            </Anchor>
          </Table.Th>
          <Table.Td data-label="Number">{verification.destination}</Table.Td>
          <Table.Td data-label="Country">{countryName(verification.country)}</Table.Td>
          <Table.Td data-label="Status">
            <StatusBadge of={verification} />
          </Table.Td>
          <Table.Td data-label="Channel">{channelName(verification.channel)}</Table.Td>
          <Table.Td data-label="Carrier">
            <Carriers of={verification} />
          </Table.Td>
          <Table.Td data-label="Key">
            {verification.key.name}{' '}
            {verification.test && (
              <Badge size="xs" variant="default">
                Test
              </Badge>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </ScrollingTable>
  );
}

/** The carrier that has the code, with those before and after it; or those that were asked in vain. */
function Carriers({ of: { carrier, carriers_asked: asked } }: { readonly of: Verification }) {
  if (asked.length === 0) return NONE;
  const at = carrier === null ? asked.length : asked.indexOf(carrier);
  const [before, after] = [asked.slice(0, at), asked.slice(at + 1)];
  const more =
    carrier === null
      ? [asked.length === 1 ? 'did not accept it' : 'none accepted it']
      : [
          ...(before.length > 0 ? [`after ${before.join(', ')}`] : []),
          ...(after.length > 0 ? [`then ${after.join(', ')}`] : []),
        ];
  return (
    <>
      {carrier ?? asked.join(', then ')}{' '}
      {more.length > 0 && (
        <Text component="span" size="xs" c="dimmed">
          {more.join(', ')}
        </Text>
      )}
    </>
  );
}
