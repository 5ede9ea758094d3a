import { Badge, Button, Code, Group, Stack } from '@mantine/core';
import type { MessageDetail, WebhookView } from '#contract/webhooks.ts';
import { useAct, useAsk } from '../../api/hooks.ts';
import { formatInstant } from '../../format/time.ts';
import { Answer } from '../../parts/answer.tsx';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Failure } from '../../parts/page/failure.tsx';
import { useToast } from '../../parts/toast.tsx';
import { EventName } from '../webhooks/event-name.tsx';
import { MESSAGE_STATES } from '../webhooks/words.ts';
import css from './page.module.css';

interface MessageDialogProps {
  readonly webhook: WebhookView;
  readonly id: string;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

/** One message: what became of it, what it says, and sending it again. */
export function MessageDialog({ webhook, id, mayChange, onClose }: MessageDialogProps) {
  const params = { id: webhook.id, message: id };
  const found = useAsk('GET accounts/:account/webhooks/:id/messages/:message', { params }, { every: 3_000 });
  const again = useAct('POST accounts/:account/webhooks/:id/messages/:message/replay');
  const toast = useToast();
  const send = () =>
    again.mutate(
      { params },
      {
        onSuccess: () => {
          toast('It is sent again');
          onClose();
        },
      },
    );
  return (
    <Dialog title="Message" onClose={onClose}>
      <Stack>
        <Answer of={found} lines={4}>
          {(detail) => (
            <>
              <Facts detail={detail} />
              {mayChange && webhook.state !== 'disabled' && detail.message.state !== 'waiting' && (
                <Group>
                  <Button loading={again.isPending} onClick={send}>
                    Send it again
                  </Button>
                </Group>
              )}
            </>
          )}
        </Answer>
        {again.error !== null && <Failure error={again.error} />}
      </Stack>
    </Dialog>
  );
}

function Facts({ detail: { message, failures, body } }: { readonly detail: MessageDetail }) {
  const { label, color } = MESSAGE_STATES[message.state];
  return (
    <>
      <dl className={css.facts}>
        <Fact name="Event">
          <EventName type={message.type} />
        </Fact>
        <Fact name="Id">
          <Code>{message.id}</Code>
        </Fact>
        <Fact name="State">
          <Badge variant="light" color={color}>
            {label}
          </Badge>
        </Fact>
        <Fact name="Tries">
          <ol>
            {failures.map(({ at, answer }) => (
              <li key={at}>
                {formatInstant(at)}: {answer}
              </li>
            ))}
            {message.sent_at !== null && <li>{formatInstant(message.sent_at)}: accepted</li>}
            {message.tries === 0 && <li>None yet</li>}
          </ol>
        </Fact>
        {message.next_try_at !== null && <Fact name="Next try">{formatInstant(message.next_try_at)}</Fact>}
      </dl>
      {body === null ? (
        'What it was about was erased.'
      ) : (
        <Code block className={css.body} tabIndex={0} role="textbox" aria-readonly aria-label="Body">
          {JSON.stringify(JSON.parse(body), null, 2)}
        </Code>
      )}
    </>
  );
}
