import { Anchor, Button, Stack } from '@mantine/core';
import { Link } from 'wouter';
import type { SettingsView } from '#contract/settings.ts';
import { useAct } from '../../api/hooks.ts';
import { GUARD_MODES, GUARD_WORDS } from '../../format/guard.ts';
import { languageName } from '../../format/language.ts';
import { useAccount } from '../../frame/account.ts';
import { CountriesField } from '../../parts/form/countries-field.tsx';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { Form, optionalOf, rowsOf, textOf } from '../../parts/form/form.tsx';
import { Section } from '../../parts/page/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import { BudgetsField } from './budgets-field.tsx';
import { RatesField } from './rates-field.tsx';
import { RefuseFields, readRefuse } from './refuse-fields.tsx';
import css from './settings-form.module.css';

/** Ways in that speak another service's language. */
const DOORS = [
  {
    name: 'twilio',
    label: 'Twilio Verify',
    description:
      'Whether apps may use this account through Twilio’s own libraries, with this service’s address followed by /twilio, and an API key as auth token.',
  },
  {
    name: 'camara',
    label: 'CAMARA',
    description:
      'Whether apps may use this account through the mobile networks’ own API for codes by SMS (one-time-password-sms), below /camara, with an API key as bearer.',
  },
] as const;

const OFF_OR_ON = [
  { value: '', label: 'Off' },
  { value: 'on', label: 'On' },
];

interface SettingsFormProps {
  readonly view: SettingsView;
  readonly mayChange: boolean;
}

export function SettingsForm({ view: { settings, version, defaults }, mayChange }: SettingsFormProps) {
  const save = useAct('PUT accounts/:account/settings');
  const toast = useToast();
  const account = useAccount();
  const someOf = (values: FormData, name: string): string[] | null => {
    const rows = rowsOf(values, name);
    return rows.length === 0 ? null : rows;
  };
  async function submit(values: FormData): Promise<void> {
    const length = optionalOf(values, 'code_length');
    await save.mutateAsync({
      body: {
        name: textOf(values, 'name').trim(),
        brand: optionalOf(values, 'brand'),
        locale: optionalOf(values, 'locale'),
        code_length: length === null ? null : Number(length),
        sends_per_destination: someOf(values, 'sends_per_destination'),
        failed_guesses_per_destination: someOf(values, 'failed_guesses_per_destination'),
        countries: rowsOf(values, 'countries'),
        budgets: someOf(values, 'budgets'),
        guard: GUARD_MODES.find((mode) => mode === textOf(values, 'guard')) ?? null,
        twilio: textOf(values, 'twilio') === 'on',
        camara: textOf(values, 'camara') === 'on',
        refuse: readRefuse(values),
        version,
      },
    });
    toast('The settings were saved and are in use');
  }
  const fields = (
    <div className={css.groups}>
      <Section beside title="Account" about="How people find it here.">
        <TextField
          name="name"
          label="Name of the account"
          required
          maxLength={80}
          fits="words"
          defaultValue={settings.name}
        />
      </Section>
      <Section beside title="Messages" about="What the person reads or hears.">
        <Stack gap="lg">
          <TextField
            name="brand"
            label="Brand"
            description={`Part of every message: “123456 is your ${settings.brand ?? defaults.brand} code”.`}
            maxLength={40}
            fits="words"
            placeholder={defaults.brand}
            defaultValue={settings.brand ?? ''}
          />
          <SelectField
            name="locale"
            label="Language of messages"
            description="One language for all messages."
            fits="words"
            defaultValue={settings.locale ?? ''}
            data={[
              {
                value: '',
                label:
                  defaults.locale === null
                    ? 'That of the number’s country'
                    : `Default: ${languageName(defaults.locale)}`,
              },
              ...defaults.locales.map(languageOption).sort((a, b) => a.label.localeCompare(b.label, 'en')),
            ]}
          />
          <TextField
            name="code_length"
            label="Length of codes"
            description="4 to 10 digits. Each extra digit makes guessing ten times harder."
            type="number"
            min={4}
            max={10}
            fits="digits"
            placeholder={String(defaults.code_length)}
            defaultValue={settings.code_length ?? ''}
          />
        </Stack>
      </Section>
      <Section
        beside
        title="Limits"
        about="They keep a stranger from flooding a number, or guessing its code."
      >
        <Stack gap="lg">
          <RatesField
            name="sends_per_destination"
            label="Codes to one number"
            about="How many may be sent in a period."
            rates={settings.sends_per_destination}
            ceiling={defaults.sends_per_destination}
          />
          <RatesField
            name="failed_guesses_per_destination"
            label="Wrong codes for one number"
            about="After so many, all codes for the number are refused for a while, even right ones."
            rates={settings.failed_guesses_per_destination}
            ceiling={defaults.failed_guesses_per_destination}
          />
        </Stack>
      </Section>
      <Section
        beside
        title="Where and for how much"
        about="The best protection against SMS pumping fraud: send only where your customers are, and bound the loss."
      >
        <Stack gap="lg">
          <CountriesField
            name="countries"
            none="Without any, all countries with a route are allowed."
            countries={settings.countries}
          />
          <BudgetsField budgets={settings.budgets} currency={defaults.currency} />
          <SelectField
            name="guard"
            label="Guard"
            fits="words"
            description={
              <>
                What happens to a request that nobody would confirm.{' '}
                <Anchor component={Link} href={`/accounts/${account.id}/guard`} underline="always" inherit>
                  Try it on your history
                </Anchor>
              </>
            }
            defaultValue={settings.guard ?? ''}
            data={[
              { value: '', label: `Default: ${GUARD_WORDS[defaults.guard].label}` },
              ...GUARD_MODES.map((value) => ({ value, label: GUARD_WORDS[value].label })),
            ]}
          />
        </Stack>
      </Section>
      {(defaults.lookups.length > 0 || settings.refuse) && (
        <Section
          beside
          title="Numbers to refuse"
          about="By what a provider says of a number before a code is sent to it. Each question costs money, and a code waits for the answer."
        >
          <RefuseFields refuse={settings.refuse} lookups={defaults.lookups} currency={defaults.currency} />
        </Section>
      )}
      <Section beside title="Compatibility" about="For applications that were written for another service.">
        {DOORS.map(({ name, label, description }) => (
          <SelectField
            key={name}
            name={name}
            label={label}
            description={description}
            fits="digits"
            defaultValue={settings[name] === true ? 'on' : ''}
            data={OFF_OR_ON}
          />
        ))}
      </Section>
    </div>
  );
  if (!mayChange) return <fieldset disabled>{fields}</fieldset>;
  return (
    <Form
      label="Save"
      submit={submit}
      pinned
      beside={
        <Button type="reset" variant="default">
          Undo changes
        </Button>
      }
    >
      {fields}
    </Form>
  );
}

const languageOption = (tag: string) => ({ value: tag, label: languageName(tag) });
