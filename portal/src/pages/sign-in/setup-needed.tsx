import { Code } from '@mantine/core';
import { Empty } from '../../parts/empty.tsx';

export function SetupNeeded() {
  return (
    <Empty title="Nobody owns this installation yet">
      <p>When the service started, it printed a set-up link. Open it to become the owner.</p>
      <p>
        The link is good for one use. A restart prints a new one: <Code>npm start</Code>.
      </p>
    </Empty>
  );
}
