import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { HandsetMessage } from '#contract/handset.ts';
import css from './phone.module.css';

/** A call rings until it is answered. Then it is spoken, and shown for people who cannot hear it. */
export function VoiceCall({ message: { text, locale } }: { readonly message: HandsetMessage }) {
  const [state, setState] = useState<'ringing' | 'answered' | 'declined'>('ringing');
  useEffect(() => {
    if (state !== 'answered' || !('speechSynthesis' in window)) return;
    const spoken = new SpeechSynthesisUtterance(text);
    spoken.lang = locale;
    spoken.rate = 0.85;
    speechSynthesis.speak(spoken);
    return () => speechSynthesis.cancel();
  }, [state, text, locale]);
  if (state === 'ringing') {
    return (
      <div className={css.call}>
        {/* Only the text moves: the buttons must be easy to hit. */}
        <Text size="sm" fw={600} className={css.ringing}>
          Incoming call
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" onClick={() => setState('answered')}>
            Answer
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setState('declined')}>
            Decline
          </Button>
        </Group>
      </div>
    );
  }
  if (state === 'declined') return <p className={css.text}>Call declined</p>;
  return (
    <div className={css.call}>
      <Text size="xs" c="dimmed">
        What the call says:
      </Text>
      <Text size="sm" lang={locale}>
        {text}
      </Text>
      <Button size="compact-xs" variant="default" onClick={() => setState('declined')}>
        Hang up
      </Button>
    </div>
  );
}
