import { Button, Group, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { Dialog, useClose } from '../dialog/dialog.tsx';
import { endQuestion, onAsked, whatIsAsked } from './leave.ts';

/** Whether to leave what was not saved, while somebody is asked. */
export function LeaveQuestion() {
  const question = useSyncExternalStore(onAsked, whatIsAsked);
  if (question === undefined) return null;
  return (
    <Dialog key={question.number} title="Leave and lose your changes?" onClose={() => endQuestion(question)}>
      <Text size="sm" mb="lg">
        What you entered here is not kept.
      </Text>
      <Answers goOn={question.goOn} />
    </Dialog>
  );
}

function Answers({ goOn }: { readonly goOn: () => void }) {
  const close = useClose();
  return (
    <Group gap="xs">
      <Button data-autofocus onClick={close}>
        Stay
      </Button>
      <Button
        variant="default"
        onClick={() => {
          // First: what is below it gets the focus back.
          close();
          goOn();
        }}
      >
        Leave
      </Button>
    </Group>
  );
}
