import { NativeSelect, useMantineColorScheme } from '@mantine/core';

/** The browser remembers the choice; until there is one, the system decides. */
export function Scheme() {
  // Mantine would stop transitions with a style tag, which the policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <NativeSelect
      aria-label="Appearance"
      size="xs"
      value={colorScheme}
      onChange={({ currentTarget: { value } }) =>
        setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')
      }
      data={[
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  );
}
