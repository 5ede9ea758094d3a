import { Badge, Button, Code, Group, Table, Text } from '@mantine/core';
import type { Key } from '#contract/keys.ts';
import { countryName } from '../../format/country.ts';
import { formatDay, formatMinute } from '../../format/time.ts';
import { Scroller } from '../../parts/scroller.tsx';
import { When } from '../../parts/when.tsx';
import type { Task } from './page.tsx';

const STATUS = {
  active: { color: 'green', label: 'Active' },
  overlap: { color: 'yellow', label: 'In overlap' },
  expired: { color: 'gray', label: 'Expired' },
  revoked: { color: 'gray', label: 'Revoked' },
} as const;

interface KeyTableProps {
  readonly keys: readonly Key[];
  /** Absent for who may only look. */
  readonly onTask?: (task: Task) => void;
}

export function KeyTable({ keys, onTask }: KeyTableProps) {
  return (
    <Scroller label="API keys">
      <Table verticalSpacing="sm" aria-label="API keys">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Bounds</Table.Th>
            <Table.Th>Created</Table.Th>
            {onTask !== undefined && <Table.Th>Change</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Th scope="row">
                <Text size="sm" fw={600}>
                  {key.name}
                </Text>
                <Group gap={6} wrap="nowrap">
                  <Code>{key.prefix}…</Code>
                  <Badge variant="default" size="sm">
                    {key.test ? 'Test' : 'Live'}
                  </Badge>
                </Group>
              </Table.Th>
              <Table.Td>
                <Badge variant="light" color={STATUS[key.status].color}>
                  {STATUS[key.status].label}
                </Badge>
                <Text size="xs" c="dimmed">
                  {until(key)}
                </Text>
              </Table.Td>
              <Table.Td>
                {key.last_used_at === null ? (
                  <Text size="sm">Never</Text>
                ) : (
                  <>
                    <When at={key.last_used_at} />
                    <Text size="xs" c="dimmed">
                      {key.last_used_from === null ? '' : `from ${key.last_used_from}`}
                    </Text>
                  </>
                )}
              </Table.Td>
              <Table.Td>
                <Bounds apiKey={key} />
              </Table.Td>
              <Table.Td>
                {formatDay(key.created_at)}
                <Text size="xs" c="dimmed">
                  by {key.created_by ?? 'the command line'}
                </Text>
              </Table.Td>
              {onTask !== undefined && (
                <Table.Td>
                  <Changes apiKey={key} onTask={onTask} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}

function until({ status, expires_at, revoked_at }: Key): string {
  if (revoked_at !== null) return formatMinute(revoked_at);
  if (expires_at === null) return '';
  return status === 'expired' ? formatMinute(expires_at) : `until ${formatMinute(expires_at)}`;
}

function Bounds({ apiKey: { restrictions } }: { readonly apiKey: Key }) {
  const { channels, countries, sources } = restrictions;
  const bounds = [
    channels.length > 0 &&
      `${channels.map((channel) => (channel === 'sms' ? 'SMS' : 'voice')).join(', ')} only`,
    countries.length > 0 && `to ${countries.slice(0, 3).map(countryName).join(', ')}${more(countries, 3)}`,
    sources.length > 0 && `from ${sources.slice(0, 2).join(', ')}${more(sources, 2)}`,
  ].filter((bound) => bound !== false);
  if (bounds.length === 0) return <Text size="sm">None</Text>;
  return bounds.map((bound) => (
    <Text key={bound} size="xs">
      {bound}
    </Text>
  ));
}

const more = (list: readonly string[], shown: number): string =>
  list.length > shown ? ` and ${list.length - shown} more` : '';

function Changes({ apiKey: key, onTask }: { readonly apiKey: Key; readonly onTask: (task: Task) => void }) {
  if (key.status === 'expired' || key.status === 'revoked') return null;
  const inOverlap = key.status === 'overlap';
  return (
    <Group gap="xs" wrap="nowrap">
      {!inOverlap && (
        <>
          <Button
            size="xs"
            variant="default"
            aria-label={`Edit ${key.name}`}
            onClick={() => onTask({ kind: 'edit', key })}
          >
            Edit
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Rotate ${key.name}`}
            onClick={() => onTask({ kind: 'rotate', key })}
          >
            Rotate
          </Button>
        </>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={inOverlap ? `End the overlap of ${key.name}` : `Revoke ${key.name}`}
        onClick={() => onTask({ kind: 'revoke', key })}
      >
        {inOverlap ? 'End overlap' : 'Revoke'}
      </Button>
    </Group>
  );
}
