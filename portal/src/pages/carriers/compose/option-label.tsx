import { Text } from '@mantine/core';
import { identifierWords } from '../../../format/identifier.ts';

interface OptionLabelProps {
  readonly name: string;
  /** Where the name alone would not say enough. */
  readonly words?: string;
}

/** An option in words, and beside them its name in the configuration, where operators look for it. */
export function OptionLabel({ name, words = identifierWords(name) }: OptionLabelProps) {
  if (words.toLowerCase() === name) return words;
  return (
    <>
      {words}{' '}
      <Text component="span" size="xs" c="dimmed" fw={400}>
        {name}
      </Text>
    </>
  );
}
