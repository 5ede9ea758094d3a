import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { AlertView } from '#contract/alerts.ts';
import { formatMinute } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { Section } from '../../parts/page/page.tsx';
import { When } from '../../parts/when.tsx';
import css from './page.module.css';
import { HERE, toldWords } from './words.ts';

export function FiringSection({ alerts }: { readonly alerts: readonly AlertView[] }) {
  return (
    <Section title="Firing now">
      {alerts.length === 0 ? (
        <Empty title="Nothing fires">
          All rules below are good. If conversion falls, a carrier goes down or somebody becomes an owner, it
          is shown here with what to look at, and the people and places below are told.
        </Empty>
      ) : (
        <ul className={css.list} aria-label="Firing now">
          {alerts.map((alert) => (
            <Entry key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Entry({ alert }: { readonly alert: AlertView }) {
  const { id } = useAccount();
  const { title, detail, place, installation, firing_since, told } = alert;
  return (
    <li className={css.entry}>
      <Group gap="xs">
        <Text fw={600}>{title}</Text>
        <Badge variant="light" color="red">
          Firing
        </Badge>
        {installation && <Badge variant="default">Installation</Badge>}
      </Group>
      <Text size="sm">{detail}</Text>
      <Text size="sm" c="dimmed">
        Since {formatMinute(firing_since)} (<When at={firing_since} />
        ). {toldWords(told)}
      </Text>
      {place !== HERE && (
        <Anchor component={Link} href={`/accounts/${id}/${place}`} size="sm" underline="always">
          What happened
        </Anchor>
      )}
    </li>
  );
}
