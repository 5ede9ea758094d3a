import { Button, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { HandsetMessage } from '#contract/handset.ts';
import { isMissedCall, isSpoken } from '../../format/channel.ts';
import { formatClock } from '../../format/time.ts';
import css from './phone.module.css';
import { VoiceCall } from './voice-call.tsx';

interface PhoneProps {
  readonly messages: readonly HandsetMessage[];
  readonly connected: boolean;
  readonly onUse: (id: string, code: string) => void;
}

export function Phone({ messages, connected, onUse }: PhoneProps) {
  const screen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message scrolls it
  useEffect(() => {
    screen.current?.scrollTo({ top: screen.current.scrollHeight });
  }, [messages]);
  return (
    <section className={css.phone} aria-label="Telephone">
      <div className={css.top}>
        <span className={connected ? css.on : css.off} aria-hidden="true" />
        <Text size="xs" component="span" role="status">
          {connected ? 'Listening' : 'Connecting…'}
        </Text>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus (WCAG 2.1.1) */}
      <div ref={screen} className={css.screen} role="log" aria-label="Messages" tabIndex={0}>
        {messages.length === 0 && (
          <Text size="sm" c="dimmed" ta="center" m="auto">
            No messages yet. Use the form to send a code.
          </Text>
        )}
        {messages.map((message) => (
          <article key={`${message.id} ${message.at}`} className={css.message}>
            <Text size="xs" c="dimmed">
              {message.destination}, {formatClock(message.at)}
            </Text>
            {isSpoken(message.channel) ? (
              <VoiceCall message={message} />
            ) : (
              <p className={css.text}>{textOf(message)}</p>
            )}
            <UseCode message={message} onUse={onUse} />
          </article>
        ))}
      </div>
    </section>
  );
}

/** Of a missed call only the number is seen. Viewers do not get its end. */
const textOf = ({ channel, text, code }: HandsetMessage): string =>
  isMissedCall(channel) ? `Missed call from a number that ends in ${code ?? '••••'}` : text;

interface UseCodeProps extends Pick<PhoneProps, 'onUse'> {
  readonly message: HandsetMessage;
}

/** Viewers do not get the code. */
function UseCode({ message: { id, code }, onUse }: UseCodeProps) {
  if (code === null) return null;
  return (
    <Button size="compact-xs" variant="default" onClick={() => onUse(id, code)}>
      Use this code
    </Button>
  );
}
