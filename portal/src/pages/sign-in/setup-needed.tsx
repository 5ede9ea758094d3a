import { Code } from '@mantine/core';
import { Empty } from '../../parts/page/empty.tsx';

export function SetupNeeded() {
  return (
    <Empty title="This installation has no owner yet">
      <p>When the service started, it printed a set-up link. Open it to become the owner.</p>
      <p>
        The link works once. A restart prints a new one: <Code>npm start</Code>.
      </p>
    </Empty>
  );
}
