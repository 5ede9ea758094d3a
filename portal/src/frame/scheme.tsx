import { NativeSelect, useMantineColorScheme } from '@mantine/core';

/** Remembered by the browser; the system decides until somebody has. */
export function Scheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
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
