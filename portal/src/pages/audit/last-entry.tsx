import { Code, Group, Text } from '@mantine/core';
import { CopyButton } from '../../parts/copy.tsx';
import { Section } from '../../parts/page/page.tsx';
import css from './filters.module.css';

/** `last` is the number, the hash and the time of the newest entry. */
export function LastEntry({ last }: { readonly last: string }) {
  return (
    <Section
      title="Newest entry"
      about={
        <>
          Its number, hash and time. Each hash covers the one before it: keep this one outside the service,
          and <Code>countersign audit verify --expect</Code> tells later whether any entry up to it was
          changed or removed.
        </>
      }
    >
      <Group gap="sm">
        <Text size="sm" component="div" className={css.hash}>
          <Code>{last}</Code>
        </Text>
        <CopyButton text={last} />
      </Group>
    </Section>
  );
}
