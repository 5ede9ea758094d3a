import { Button } from '@mantine/core';

interface RowButtonProps {
  /** What a screen reader says: with the row that the button is for. */
  readonly name: string;
  readonly onClick: () => void;
  readonly children: string;
}

/** A button in one row of a list. */
export function RowButton({ name, onClick, children }: RowButtonProps) {
  return (
    <Button size="compact-sm" variant="default" aria-label={name} onClick={onClick}>
      {children}
    </Button>
  );
}
