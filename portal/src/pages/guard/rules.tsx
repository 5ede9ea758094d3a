import { Code, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { GuardRules } from '#contract/guard.ts';
import { useAct, useAsk } from '../../api/hooks.ts';
import { countryName } from '../../format/country.ts';
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
              <RuleName rule={rule} />
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
          <RuleName rule={leaving} />: from now on, the guard decides there again.
        </Confirm>
      )}
    </div>
  );
}

function RuleName({ rule: { action, subject, value } }: { readonly rule: Rule }) {
  const keys = useAsk('GET accounts/:account/keys', {}, { enabled: subject === 'key' });
  const what = `${ACTIONS[action].label} ${startSmall(SUBJECTS[subject].label)}`;
  if (subject === 'account') return what;
  if (subject === 'country') return `${what} ${countryName(value)}`;
  const key = subject === 'key' ? keys.data?.find(({ id }) => id === value) : undefined;
  return (
    <>
      {what} {key === undefined ? <Code>{value}</Code> : key.name}
    </>
  );
}

/** Within a sentence; a name such as API stays as it is. */
const startSmall = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
