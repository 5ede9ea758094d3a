import { Text } from '@mantine/core';
import css from './brand.module.css';

export function Brand() {
  return (
    <Text component="span" fw={650} size="lg" className={css.brand}>
      <img src="/portal/icon.svg" alt="" width={22} height={22} />
      Countersign
    </Text>
  );
}
