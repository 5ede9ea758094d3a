import { Alert, Code, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy.tsx';
import css from './secret.module.css';

interface SecretProps {
  readonly text: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** Something that is shown only once. */
export function Secret({ text, title, children }: SecretProps) {
  return (
    <Alert color="yellow" title={title}>
      <p>{children}</p>
      <Group wrap="nowrap" align="center" gap="xs">
        <Code block className={css.text} tabIndex={0} role="textbox" aria-readonly aria-label="Secret">
          {text}
        </Code>
        <CopyButton text={text} />
      </Group>
    </Alert>
  );
}
