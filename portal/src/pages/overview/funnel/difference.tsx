import { Text } from '@mantine/core';
import { formatChange, formatPoints } from '../../../format/number.ts';

interface DifferenceProps {
  readonly now: number | null | undefined;
  readonly before: number | null | undefined;
  /** Both are shares of 1. */
  readonly shares?: boolean;
}

/** How a figure changed against the period before; nothing where that had none. */
export function Difference({ now, before, shares = false }: DifferenceProps) {
  if (now === undefined || before === undefined || now === null || before === null) return null;
  const text = shares ? formatPoints(now, before) : formatChange(now, before);
  if (text === null) return null;
  return (
    <Text component="span" size="xs" c="dimmed">
      {' '}
      {text}
      <span className="quiet"> against the period before</span>
    </Text>
  );
}
