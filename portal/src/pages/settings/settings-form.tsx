import { Anchor, Button, Stack } from '@mantine/core';
import { Link } from 'wouter';
import type { SettingsView } from '#contract/settings.ts';
import { useAct } from '../../api/hooks.ts';
import { countriesOf, itemsOf } from '../../format/country.ts';
import { GUARD_MODES, GUARD_WORDS } from '../../format/guard.ts';
import { useAccount } from '../../frame/account.ts';
import { CountriesField } from '../../parts/form/countries-field.tsx';
import { SelectField, TextField } from '../../parts/form/fields.tsx';
import { Form, optionalOf, textOf } from '../../parts/form/form.tsx';
import { Section } from '../../parts/page/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import css from './settings-form.module.css';

interface SettingsFormProps {
  readonly view: SettingsView;
  readonly mayChange: boolean;
}

export function SettingsForm({ view: { settings, defaults }, mayChange }: SettingsFormProps) {
  const save = useAct('PUT accounts/:account/settings');
  const toast = useToast();
  const account = useAccount();
  const ratesOf = (values: FormData, name: string): string[] | null => {
    const rates = itemsOf(textOf(values, name));
    return rates.length === 0 ? null : rates;
  };
  async function submit(values: FormData): Promise<void> {
    const length = optionalOf(values, 'code_length');
    await save.mutateAsync({
      body: {
        name: textOf(values, 'name').trim(),
        brand: optionalOf(values, 'brand'),
        locale: optionalOf(values, 'locale'),
        code_length: length === null ? null : Number(length),
        sends_per_destination: ratesOf(values, 'sends_per_destination'),
        failed_guesses_per_destination: ratesOf(values, 'failed_guesses_per_destination'),
        countries: countriesOf(textOf(values, 'countries')),
        budgets: budgetsOf(textOf(values, 'budgets')),
        guard: GUARD_MODES.find((mode) => mode === textOf(values, 'guard')) ?? null,
        twilio: textOf(values, 'twilio') === 'on',
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
                  defaults.locale === null ? 'That of the number’s country' : `Default: ${defaults.locale}`,
              },
              ...defaults.locales.map(languageOption),
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
        about="They keep a stranger from flooding a number, or guessing its code. Those of the service apply as well."
      >
        <Stack gap="lg">
          <TextField
            name="sends_per_destination"
            label="Codes to one number"
            description="At most this many per period, such as 5/10m, 20/1d."
            fits="words"
            placeholder={defaults.sends_per_destination.join(', ')}
            defaultValue={settings.sends_per_destination?.join(', ') ?? ''}
          />
          <TextField
            name="failed_guesses_per_destination"
            label="Wrong codes for one number"
            description="After this many, all codes for the number are refused for a while, even right ones."
            fits="words"
            placeholder={defaults.failed_guesses_per_destination.join(', ')}
            defaultValue={settings.failed_guesses_per_destination?.join(', ') ?? ''}
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
            description="Two-letter codes, such as GB, FR. If empty, all countries with a route."
            placeholder="All"
            countries={settings.countries}
          />
          <TextField
            name="budgets"
            label="Budgets"
            description={`What messages may cost, in ${defaults.currency}, or how many there may be, per hour, day or month (UTC): account 50 per day, key 100 messages per hour, country 20 per month. The service’s budgets apply as well.`}
            fits="line"
            placeholder="None of its own"
            defaultValue={settings.budgets?.join(', ') ?? ''}
          />
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
      <Section beside title="Compatibility" about="For applications that were written for another service.">
        <SelectField
          name="twilio"
          label="Twilio Verify"
          description="Whether apps may use this account through Twilio’s own libraries, with this service’s address followed by /twilio, and an API key as auth token."
          fits="digits"
          defaultValue={settings.twilio === true ? 'on' : ''}
          data={[
            { value: '', label: 'Off' },
            { value: 'on', label: 'On' },
          ]}
        />
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

/** Null if there are none. */
function budgetsOf(text: string): string[] | null {
  const budgets = text.split(',').map((budget) => budget.trim().replaceAll(/\s+/g, ' '));
  const given = budgets.filter((budget) => budget !== '');
  return given.length === 0 ? null : given;
}

const languages = new Intl.DisplayNames('en-GB', { type: 'language' });
const languageOption = (tag: string) => ({ value: tag, label: languages.of(tag) ?? tag });
