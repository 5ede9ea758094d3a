import { Code, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { GuardRules } from '#contract/guard.ts';
import { useAct, useAsk } from '../../api/hooks.ts';
import { formatMinute } from '../../format/time.ts';
import { useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Confirm } from '../../parts/dialog/confirm.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Section } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { ACTIONS, SUBJECTS } from './rule-words.ts';

type Rule = GuardRules[number];

const COLUMNS = ['Rule', 'Until', 'Reason'];

export function Rules() {
  const rules = useAsk('GET accounts/:account/guard/rules', {});
  const mayChange = useMay('owner');
  return (
    <Section
      title="Your rules"
      about="They decide before the guard does. Of several that apply, the most particular one counts."
    >
      <Answer of={rules} lines={2}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No rules">
              The guard decides alone. A rule of yours beats it: allow your own test numbers, deny a range, or
              pause what is under attack. Each has a reason and, if you like, an end.
            </Empty>
          ) : (
            <RuleTable rules={all} mayChange={mayChange} />
          )
        }
      </Answer>
    </Section>
  );
}

function RuleTable({ rules, mayChange }: { readonly rules: readonly Rule[]; readonly mayChange: boolean }) {
  const lift = useAct('DELETE accounts/:account/guard/rules/:id');
  const [leaving, setLeaving] = useState<Rule>();
  return (
    <div>
      <ScrollingTable label="Your rules" columns={mayChange ? [...COLUMNS, 'Change'] : COLUMNS} stacked>
        {rules.map((rule) => (
          <Table.Tr key={rule.id}>
            <Table.Th scope="row">
              {ACTIONS[rule.action].label} {SUBJECTS[rule.subject].label.toLowerCase()}{' '}
              <Code>{rule.value}</Code>
            </Table.Th>
            <Table.Td data-label="Until">
              {rule.ends_at === null ? 'it is lifted' : formatMinute(rule.ends_at)}
            </Table.Td>
            <Table.Td data-label="Reason">
              {rule.reason}
              <Text size="xs" c="dimmed">
                {rule.made_by}, {formatMinute(rule.created_at)}
              </Text>
            </Table.Td>
            {mayChange && (
              <Table.Td>
                <RowButton name={`Lift the rule ${rule.value}`} onClick={() => setLeaving(rule)}>
                  Lift
                </RowButton>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </ScrollingTable>
      {leaving !== undefined && (
        <Confirm
          title="Lift the rule"
          label="Lift the rule"
          danger={false}
          onClose={() => setLeaving(undefined)}
          act={() => lift.mutateAsync({ params: { id: leaving.id } })}
          done="Within a second, the guard decides there again"
        >
          {ACTIONS[leaving.action].label} {SUBJECTS[leaving.subject].label.toLowerCase()}{' '}
          <Code>{leaving.value}</Code>: from now on, the guard decides there again.
        </Confirm>
      )}
    </div>
  );
}
