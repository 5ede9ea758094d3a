import { Anchor, Badge, Code, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Key } from '#contract/keys.ts';
import { channelLabel } from '../../format/channel.ts';
import { countryName } from '../../format/country.ts';
import { formatDay, formatMinute } from '../../format/time.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Fact } from '../../parts/fact.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { When } from '../../parts/when.tsx';
import css from './key-list.module.css';
import type { KeyTask } from './task.ts';

const STATUS = {
  overlap: { color: 'yellow', label: 'Overlapping' },
  expired: { color: 'gray', label: 'Expired' },
  revoked: { color: 'gray', label: 'Revoked' },
} as const;

interface KeyListProps {
  readonly keys: readonly Key[];
  /** Absent for people who may only look. */
  readonly onTask?: (task: KeyTask) => void;
}

export function KeyList({ keys, onTask }: KeyListProps) {
  const account = useAccount();
  return (
    <ul className={css.list} aria-label="API keys">
      {keys.map((key) => (
        <li key={key.id} className={css.key}>
          <div className={css.head}>
            <div className={css.name}>
              <Group gap="0.25rem 0.5rem">
                <Text fw={600}>{key.name}</Text>
                <Badge variant="default">{key.test ? 'Test' : 'Live'}</Badge>
                {/* A key in good order needs no badge. */}
                {key.status !== 'active' && (
                  <Badge variant="light" color={STATUS[key.status].color}>
                    {STATUS[key.status].label}
                  </Badge>
                )}
              </Group>
              <Group gap="sm">
                <Code>{key.prefix}…</Code>
                <Anchor
                  component={Link}
                  size="xs"
                  href={`/accounts/${account.id}/verifications?key=${key.id}`}
                  aria-label={`Its codes: ${key.name}`}
                >
                  Its codes
                </Anchor>
              </Group>
            </div>
            {onTask !== undefined && <Changes apiKey={key} onTask={onTask} />}
          </div>
          <dl className={css.facts}>
            <Fact name="Last used">
              <When at={key.last_used_at} never="Never" />
              {key.last_used_from !== null && `, from ${key.last_used_from}`}
            </Fact>
            <Fact name={key.revoked_at === null ? 'Expires' : 'Revoked'}>{until(key)}</Fact>
            <Fact name="Bounds">{boundsOf(key)}</Fact>
            <Fact name="Created">
              {formatDay(key.created_at)}, by {key.created_by ?? 'the command line'}
            </Fact>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function until({ expires_at, revoked_at }: Key): string {
  const end = revoked_at ?? expires_at;
  return end === null ? 'Never' : formatMinute(end);
}

function boundsOf({ restrictions: { channels, countries, sources }, custom_codes }: Key): string {
  const bounds = [
    channels.length > 0 && `${channels.map(channelLabel).join(', ')} only`,
    countries.length > 0 && `to ${countries.slice(0, 3).map(countryName).join(', ')}${more(countries, 3)}`,
    sources.length > 0 && `from ${sources.slice(0, 2).join(', ')}${more(sources, 2)}`,
    custom_codes && 'may bring codes',
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? 'None' : bounds.join('; ');
}

const more = (list: readonly string[], shown: number): string =>
  list.length > shown ? ` and ${list.length - shown} more` : '';

function Changes({
  apiKey: key,
  onTask,
}: {
  readonly apiKey: Key;
  readonly onTask: (task: KeyTask) => void;
}) {
  // Whoever rotates a key gets its successor's secret.
  const isOwner = useMay('owner');
  if (key.status === 'expired' || key.status === 'revoked') return null;
  const inOverlap = key.status === 'overlap';
  return (
    <Group gap="0.375rem" className={css.changes}>
      {!inOverlap && (
        <>
          <RowButton name={`Edit ${key.name}`} onClick={() => onTask({ kind: 'edit', key })}>
            Edit
          </RowButton>
          {(isOwner || !key.custom_codes) && (
            <RowButton name={`Rotate ${key.name}`} onClick={() => onTask({ kind: 'rotate', key })}>
              Rotate
            </RowButton>
          )}
        </>
      )}
      <RowButton
        name={inOverlap ? `End the overlap of ${key.name}` : `Revoke ${key.name}`}
        onClick={() => onTask({ kind: 'revoke', key })}
      >
        {inOverlap ? 'End overlap' : 'Revoke'}
      </RowButton>
    </Group>
  );
}
