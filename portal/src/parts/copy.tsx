import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';

export function CopyButton({ text }: { readonly text: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  const said = { idle: 'Copy', copied: 'Copied', failed: 'Select it and copy by hand' }[state];
  return (
    <Button size="xs" variant="default" onClick={copy}>
      <span aria-live="polite">{said}</span>
    </Button>
  );
}
