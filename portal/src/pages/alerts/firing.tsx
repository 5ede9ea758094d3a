import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Alert } from '#contract/alerts.ts';
import { formatMinute } from '../../format/time.ts';
import { useAccount, useMay } from '../../frame/account.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { Section } from '../../parts/page/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { When } from '../../parts/when.tsx';
import css from './page.module.css';
import { SilenceDialog } from './silence-dialog.tsx';
import { HERE, toldWords } from './words.ts';

/** What is to be silent: one alert, or all of the account's. */
type Task = { readonly alert: Alert | null };

export function FiringSection({ alerts }: { readonly alerts: readonly Alert[] }) {
  const mayChange = useMay('owner');
  const [task, setTask] = useState<Task>();
  return (
    <Section
      title="Firing now"
      actions={
        mayChange && (
          <Button variant="default" onClick={() => setTask({ alert: null })}>
            Silence everything…
          </Button>
        )
      }
    >
      {alerts.length === 0 ? (
        <Empty title="Nothing fires">
          All rules below are good. If conversion falls, a carrier goes down or somebody becomes an owner, it
          is shown here with what to look at, and the people and places below are told.
        </Empty>
      ) : (
        <ul className={css.list} aria-label="Firing now">
          {alerts.map((alert) => (
            <Entry key={alert.id} alert={alert}>
              {mayChange && !alert.installation && alert.silenced_until === null && (
                <RowButton name={`Silence: ${alert.title}`} onClick={() => setTask({ alert })}>
                  Silence…
                </RowButton>
              )}
            </Entry>
          ))}
        </ul>
      )}
      {task !== undefined && <SilenceDialog alert={task.alert} onClose={() => setTask(undefined)} />}
    </Section>
  );
}

function Entry({ alert, children }: { readonly alert: Alert; readonly children: React.ReactNode }) {
  const { id } = useAccount();
  const { title, detail, place, installation, firing_since, silenced_until, told } = alert;
  return (
    <li className={css.entry}>
      <Group gap="xs">
        <Text fw={600}>{title}</Text>
        <Badge variant="light" color="red">
          Firing
        </Badge>
        {installation && <Badge variant="default">Installation</Badge>}
        {silenced_until !== null && (
          <Badge variant="default">Silenced until {formatMinute(silenced_until)}</Badge>
        )}
      </Group>
      <Text size="sm">{detail}</Text>
      <Text size="sm" c="dimmed">
        Since {formatMinute(firing_since)} (<When at={firing_since} />
        ). {toldWords(told)}
      </Text>
      <Group gap="xs">
        {place !== HERE && (
          <Anchor component={Link} href={`/accounts/${id}/${place}`} size="sm" underline="always">
            What happened
          </Anchor>
        )}
        {children}
      </Group>
    </li>
  );
}
