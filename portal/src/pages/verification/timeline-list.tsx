import { Text } from '@mantine/core';
import { formatInstant, formatOffset } from '../../format/time.ts';
import css from './page.module.css';
import type { TimelineEvent } from './timeline.ts';

export function TimelineList({ events }: { readonly events: readonly TimelineEvent[] }) {
  const start = events[0]?.at ?? '';
  return (
    <ol className={css.timeline}>
      {events.map(({ at, title, detail, tone }) => (
        <li key={`${at} ${title}`} className={tone === 'plain' ? undefined : css[tone]}>
          <Text fw={600}>{title}</Text>
          <Text size="sm">{detail}</Text>
          <Text size="xs" c="dimmed">
            <time dateTime={at}>{formatInstant(at)}</time>
            {at !== start && `, ${formatOffset(start, at)}`}
          </Text>
        </li>
      ))}
    </ol>
  );
}
