import { Badge, Checkbox, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Rule, RuleWish } from '#contract/alerts.ts';
import { useAct } from '../../api/hooks.ts';
import { useMay } from '../../frame/account.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { textOf } from '../../parts/form/form.tsx';
import { Section } from '../../parts/page/page.tsx';
import { ScrollingTable } from '../../parts/page/scroller.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { useToast } from '../../parts/toast.tsx';

const COLUMNS = ['Rule', 'It fires when', 'State'];

export function RuleSection({ rules }: { readonly rules: readonly Rule[] }) {
  const mayChange = useMay('owner');
  const [changing, setChanging] = useState<Rule>();
  return (
    <Section
      title="Rules"
      about="Those of the installation are set by its operator, in the configuration of the service."
    >
      <ScrollingTable label="Rules" columns={mayChange ? [...COLUMNS, 'Change'] : COLUMNS} stacked>
        {rules.map((rule) => (
          <Table.Tr key={rule.name}>
            <Table.Th scope="row">{rule.title}</Table.Th>
            <Table.Td data-label="It fires when">{rule.means}</Table.Td>
            <Table.Td data-label="State">
              <Group gap="xs">
                <Badge variant="light" color={rule.on ? 'green' : 'gray'}>
                  {rule.on ? 'On' : 'Off'}
                </Badge>
                {!rule.own && <Badge variant="default">Installation</Badge>}
                {rule.changed && (
                  <Text size="xs" c="dimmed">
                    changed here
                  </Text>
                )}
              </Group>
            </Table.Td>
            {mayChange && (
              <Table.Td>
                {rule.own && (
                  <RowButton name={`Change: ${rule.title}`} onClick={() => setChanging(rule)}>
                    Change
                  </RowButton>
                )}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </ScrollingTable>
      {changing !== undefined && <ChangeDialog rule={changing} onClose={() => setChanging(undefined)} />}
    </Section>
  );
}

function ChangeDialog({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const change = useAct('PUT accounts/:account/alerts/rules/:rule');
  const toast = useToast();
  const { name, title, means, bounds, threshold, on } = rule;
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      label="Save"
      submit={async (values) => {
        await change.mutateAsync({ params: { rule: name }, body: wishOf(values) });
        toast('The rule is changed');
        onClose();
      }}
    >
      <div>{means}</div>
      <Checkbox name="on" value="yes" label="On" defaultChecked={on} />
      {bounds !== null && (
        <TextField
          name="threshold"
          label={`Threshold, ${bounds.unit}`}
          description={`From ${bounds.least} to ${bounds.most}. If empty, the default of the service.`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          defaultValue={threshold === null ? '' : String(threshold)}
        />
      )}
    </FormDialog>
  );
}

function wishOf(values: FormData): RuleWish {
  const text = textOf(values, 'threshold').trim();
  return {
    on: values.has('on'),
    // What is no number is sent as one that no rule takes, so that the server says what it expects.
    ...(text !== '' && { threshold: Number.isFinite(Number(text)) ? Number(text) : -1 }),
  };
}
