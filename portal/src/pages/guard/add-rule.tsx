import { useState } from 'react';
import type { GuardRuleRequest } from '#contract/guard.ts';
import { hasOwnNumbers } from '../../../../src/core/destination/counted-as.ts';
import { useAct, useAsk } from '../../api/hooks.ts';
import { COUNTRIES, countedAsWords } from '../../format/country.ts';
import { instantOfField } from '../../format/time.ts';
import { useAccount } from '../../frame/account.ts';
import { FormDialog } from '../../parts/dialog/form-dialog.tsx';
import { withoutFields } from '../../parts/form/faults.ts';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { textOf, useFaults } from '../../parts/form/form.tsx';
import { useToast } from '../../parts/toast.tsx';
import { ACTIONS, choicesOf, SUBJECTS } from './rule-words.ts';

type Subject = GuardRuleRequest['subject'];

interface AddRuleProps {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

export function AddRule({ onClose, onAdded }: AddRuleProps) {
  const account = useAccount();
  const add = useAct('POST accounts/:account/guard/rules');
  const toast = useToast();
  const [action, setAction] = useState<GuardRuleRequest['action']>('deny');
  const [subject, setSubject] = useState<Subject>('range');
  return (
    <FormDialog
      title="Add a rule"
      onClose={onClose}
      label="Add the rule"
      submit={async (values) => {
        const value = subject === 'account' ? account.id : textOf(values, 'value').trim();
        const ends_at = instantOfField(textOf(values, 'ends_at'));
        const reason = textOf(values, 'reason');
        await add.mutateAsync({ body: { action, subject, value, ends_at, reason } });
        toast('The rule is in use within a second');
        onClose();
        onAdded();
      }}
    >
      <SelectField
        name="action"
        label="What to do"
        value={action}
        onChange={({ currentTarget: { value } }) =>
          setAction(value === 'allow' || value === 'pause' ? value : 'deny')
        }
        data={choicesOf(ACTIONS)}
      />
      <SubjectField subject={subject} choose={setSubject} />
      <ValueField key={subject} subject={subject} />
      <TextField
        name="ends_at"
        type="datetime-local"
        label="Until"
        required={action === 'pause'}
        description={
          action === 'pause'
            ? 'A pause has an end.'
            : 'The rule ends by itself. If empty, when somebody lifts it.'
        }
      />
      <TextField
        name="reason"
        label="Reason"
        description="For those who find this rule in a year."
        autoComplete="off"
        required
        maxLength={200}
      />
    </FormDialog>
  );
}

interface SubjectFieldProps {
  readonly subject: Subject;
  readonly choose: (subject: Subject) => void;
}

/** What was wrong with a value of one kind says nothing of the next kind. */
function SubjectField({ subject, choose }: SubjectFieldProps) {
  const { correct } = useFaults();
  return (
    <SelectField
      name="subject"
      label="With what"
      value={subject}
      onChange={({ currentTarget: { value } }) => {
        choose(isSubject(value) ? value : 'range');
        correct((now) => withoutFields(now, ['value']));
      }}
      data={choicesOf(SUBJECTS)}
    />
  );
}

const isSubject = (text: string): text is Subject => Object.hasOwn(SUBJECTS, text);

function ValueField({ subject }: { readonly subject: Subject }) {
  const { label, example } = SUBJECTS[subject];
  const keys = useAsk('GET accounts/:account/keys', {}, { enabled: subject === 'key' });
  if (subject === 'account') return null;
  if (subject === 'country') {
    return <CountryField label={label} />;
  }
  if (subject === 'key') {
    const choices = keys.data?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
    return <SelectField name="value" label={label} data={choices} required />;
  }
  return (
    <TextField name="value" label={label} placeholder={example} autoComplete="off" required maxLength={300} />
  );
}

/** Numbers of some territories count as another country's: a rule of theirs stops less than people think. */
function CountryField({ label }: { readonly label: string }) {
  const choices = COUNTRIES.filter(({ code }) => hasOwnNumbers(code)).map(({ code, name }) => ({
    value: code,
    label: name,
  }));
  const [country, setCountry] = useState(choices[0]?.value ?? '');
  return (
    <SelectField
      name="value"
      label={label}
      description={countedAsWords([country]).join(' ')}
      value={country}
      onChange={({ currentTarget: { value } }) => setCountry(value)}
      data={choices}
      required
    />
  );
}
