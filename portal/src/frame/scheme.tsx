import { NativeSelect, useMantineColorScheme } from '@mantine/core';

/** Remembered by the browser; the system decides until somebody has. */
export function Scheme() {
  // Mantine would stop transitions by a style tag, which the policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <NativeSelect
      label="Appearance"
      size="xs"
      value={colorScheme}
      onChange={({ currentTarget: { value } }) =>
        setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')
      }
      data={[
        { value: 'auto', label: 'As the system' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  );
}
