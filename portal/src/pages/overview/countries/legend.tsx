import { Text } from '@mantine/core';
import { ENOUGH, LEVELS } from './level.ts';
import css from './levels.module.css';

const LEVEL_CLASSES = [css.level0, css.level1, css.level2, css.level3];

/** The class of a level, or none. */
export const levelClass = (level: number | undefined): string =>
  level === undefined ? '' : (LEVEL_CLASSES[level] ?? '');

export function LevelLegend() {
  return (
    <div className={css.legend}>
      {LEVELS.map(({ name }, level) => (
        <span key={name}>
          <span className={`${css.swatch} ${levelClass(level)}`} /> {name}
        </span>
      ))}
      <Text component="span" size="sm" c="dimmed">
        <span className={css.swatch} /> too few: under {ENOUGH}
      </Text>
    </div>
  );
}
