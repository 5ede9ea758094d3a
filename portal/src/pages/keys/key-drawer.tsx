import { Button, Code, Group } from '@mantine/core';
import { Link } from 'wouter';
import type { Key } from '#contract/keys.ts';
import { channelLabel } from '../../format/channel.ts';
import { countryNames } from '../../format/country.ts';
import { formatMinute } from '../../format/time.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Fact, Facts } from '../../parts/fact.tsx';
import { When } from '../../parts/when.tsx';
import { Marks } from './key-table.tsx';
import { actionsOn, type KeyTask } from './task.ts';
import { endOf } from './words.ts';

interface KeyDrawerProps {
  readonly apiKey: Key;
  readonly onTask: (task: KeyTask) => void;
  readonly onClose: () => void;
}

/** All that is known about one key, and what can be done with it. */
export function KeyDrawer({ apiKey: key, onTask, onClose }: KeyDrawerProps) {
  const account = useAccount();
  const may = { developer: useMay('developer'), owner: useMay('owner') };
  const { channels, countries, sources } = key.restrictions;
  return (
    <Dialog title={key.name} place="end" onClose={onClose}>
      <Group gap="xs" mb="md">
        <Code>{key.prefix}…</Code>
        <Marks apiKey={key} />
      </Group>
      <Facts>
        <Fact name="Last used">
          <When at={key.last_used_at} never="Never" />
          {key.last_used_from !== null && `, from ${key.last_used_from}`}
        </Fact>
        <Fact name={key.revoked_at === null ? 'Expires' : 'Revoked'}>{endOf(key)}</Fact>
        <Fact name="Channels">{listed(channels.map(channelLabel), 'All')}</Fact>
        <Fact name="Countries">{listed(countryNames(countries), 'All that the account allows')}</Fact>
        <Fact name="Source addresses">{listed(sources, 'Any')}</Fact>
        <Fact name="Codes of its own">{key.custom_codes ? 'May bring them' : 'No'}</Fact>
        <Fact name="Created">
          {formatMinute(key.created_at)}, by {key.created_by ?? 'the command line'}
        </Fact>
      </Facts>
      <Group gap="xs" mt="lg">
        <Button
          component={Link}
          variant="default"
          href={`/accounts/${account.id}/verifications?key=${key.id}`}
        >
          Its codes
        </Button>
        {actionsOn(key, may, onTask).map(({ name, act }) => (
          <Button key={name} variant="default" onClick={act}>
            {name}
          </Button>
        ))}
      </Group>
    </Dialog>
  );
}

const listed = (names: readonly string[], all: string): string =>
  names.length === 0 ? all : names.join(', ');
