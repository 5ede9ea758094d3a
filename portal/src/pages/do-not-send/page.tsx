import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../frame/account.ts';
import { Page, Section } from '../../parts/page/page.tsx';
import { AddNumber, AddRange, RemoveNumber } from './dialogs.tsx';
import { NumberTable } from './number-table.tsx';
import { RangeTable } from './range-table.tsx';

type Task = 'none' | 'add-number' | 'remove-number' | 'add-range';

export default function DoNotSend() {
  const mayChange = useMay('developer');
  const [task, setTask] = useState<Task>('none');
  const close = () => setTask('none');
  return (
    <Page
      title="Do not send"
      about="No code is sent to these numbers and ranges, and requests for them cost nothing. Anyone who answers a message with STOP is added, and START removes them."
    >
      <Section
        title="Numbers"
        about="Only the country code and the last two digits are shown."
        actions={
          mayChange && (
            <Group gap="xs">
              <Button variant="default" onClick={() => setTask('remove-number')}>
                Remove a number
              </Button>
              <Button onClick={() => setTask('add-number')}>Add a number</Button>
            </Group>
          )
        }
      >
        <NumberTable mayChange={mayChange} />
      </Section>
      <Section
        title="Ranges"
        about="All numbers that begin with these digits."
        actions={
          mayChange && (
            <Button variant="default" onClick={() => setTask('add-range')}>
              Add a range
            </Button>
          )
        }
      >
        <RangeTable mayChange={mayChange} />
      </Section>
      {task === 'add-number' && <AddNumber onClose={close} />}
      {task === 'remove-number' && <RemoveNumber onClose={close} />}
      {task === 'add-range' && <AddRange onClose={close} />}
    </Page>
  );
}
