import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Channels, TestAnswer } from '#contract/alerts.ts';
import { useAct } from '../../api/hooks.ts';
import { problemOf } from '../../api/problem.ts';
import { formatMinute } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { Section } from '../../parts/page/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import css from './page.module.css';
import { WebhookDialog } from './webhook-dialog.tsx';
import { lastWords } from './words.ts';

export function ChannelSection({ channels }: { readonly channels: Channels }) {
  const { email, webhook, installation } = channels;
  return (
    <Section title="Who is told">
      <ul className={css.list} aria-label="Who is told">
        <Mail email={email} />
        <Webhook webhook={webhook} />
        <li className={css.entry}>
          <Text fw={600}>The operator</Text>
          <Text size="sm">
            {installation === 0
              ? 'The configuration of the service names nobody (alerts.email, alerts.webhook).'
              : `The configuration of the service names ${installation} ${installation === 1 ? 'place' : 'places'}.`}
          </Text>
        </li>
      </ul>
    </Section>
  );
}

function Mail({ email }: { readonly email: Channels['email'] }) {
  const mayHave = useMay('developer');
  const subscribe = useAct('PUT accounts/:account/alerts/email');
  const unsubscribe = useAct('DELETE accounts/:account/alerts/email');
  const test = useAct('POST accounts/:account/alerts/email/test');
  const { said, report } = useReport();
  const { possible, mine, members } = email;
  return (
    <li className={css.entry}>
      <Text fw={600}>Mail</Text>
      <Text size="sm">
        {members.length === 0 ? 'No member gets mail of alerts.' : `It goes to ${members.join(', ')}.`}{' '}
        {!possible && 'The service has no server to send mail with; its operator can configure one (smtp).'}
      </Text>
      {mine && email.last !== null && (
        <Text size="sm" c="dimmed">
          To you: {lastWords(email.last)}
        </Text>
      )}
      {mayHave && (
        <Group gap="xs">
          {mine ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => report(unsubscribe.mutateAsync({}), 'You get no mail of alerts any more')}
            >
              Stop mail to me
            </Button>
          ) : (
            possible && (
              <Button
                size="xs"
                variant="default"
                onClick={() => report(subscribe.mutateAsync({}), 'You get mail of alerts')}
              >
                Send mail to me
              </Button>
            )
          )}
          {mine && possible && (
            <Button
              size="xs"
              variant="default"
              loading={test.isPending}
              onClick={() => report(test.mutateAsync({}), 'The test was sent')}
            >
              Send a test to me
            </Button>
          )}
        </Group>
      )}
      <Said text={said} />
    </li>
  );
}

type Task = 'none' | 'add' | 'remove';

function Webhook({ webhook }: { readonly webhook: Channels['webhook'] }) {
  const mayChange = useMay('owner');
  const remove = useAct('DELETE accounts/:account/alerts/webhook');
  const test = useAct('POST accounts/:account/alerts/webhook/test');
  const [task, setTask] = useState<Task>('none');
  const { said, report } = useReport();
  const close = () => setTask('none');
  return (
    <li className={css.entry}>
      <Text fw={600}>Webhook</Text>
      {webhook === null ? (
        <Text size="sm">A chat such as Slack or Mattermost, or your own server, can be told as well.</Text>
      ) : (
        <Stack gap={4}>
          <Text size="sm">
            It is at <Code>{webhook.host}</Code>, added by {webhook.added_by},{' '}
            {formatMinute(webhook.added_at)}.
          </Text>
          <Text size="sm" c="dimmed">
            {lastWords(webhook.last)}
          </Text>
        </Stack>
      )}
      {mayChange && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setTask('add')}>
            {webhook === null ? 'Add a webhook' : 'Replace the webhook'}
          </Button>
          {webhook !== null && (
            <>
              <Button
                size="xs"
                variant="default"
                loading={test.isPending}
                onClick={() => report(test.mutateAsync({}), 'The test was taken')}
              >
                Send a test
              </Button>
              <Button size="xs" variant="default" onClick={() => setTask('remove')}>
                Remove the webhook
              </Button>
            </>
          )}
        </Group>
      )}
      <Said text={said} />
      {task === 'add' && <WebhookDialog onClose={close} />}
      {task === 'remove' && (
        <Confirm
          title="Remove the webhook"
          label="Remove it"
          onClose={close}
          act={() => remove.mutateAsync({})}
          done="The webhook is removed"
        >
          It is told no alerts any more. Its address and its secret are deleted.
        </Confirm>
      )}
    </li>
  );
}

/** Says what became of a press of a button, beside the button if it failed. */
function useReport() {
  const toast = useToast();
  const [said, setSaid] = useState('');
  const report = (work: Promise<TestAnswer | undefined>, done: string): void => {
    setSaid('');
    work.then(
      (tested) =>
        tested === undefined || tested.sent ? toast(done) : setSaid(`It was not taken: ${tested.answer}.`),
      (error: unknown) => setSaid(problemOf(error).message),
    );
  };
  return { said, report };
}

function Said({ text }: { readonly text: string }) {
  return (
    <Text size="sm" c="red" role="status">
      {text}
    </Text>
  );
}
