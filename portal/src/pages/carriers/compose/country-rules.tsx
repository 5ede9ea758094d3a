import { List, Stack, Text, Title } from '@mantine/core';
import { byCountryName, countryName } from '../../../format/country.ts';
import type { AskedByCountry } from './asked.ts';

export function CountryRules({ asked }: { readonly asked: readonly AskedByCountry[] }) {
  if (asked.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        What these countries ask of SMS
      </Title>
      {asked
        .toSorted((a, b) => byCountryName(a.country, b.country))
        .map(({ country, asks }) => (
          <div key={country}>
            <Text size="sm" fw={600}>
              {countryName(country)}
            </Text>
            <List size="sm">
              {asks.map((ask) => (
                <List.Item key={ask}>{ask}</List.Item>
              ))}
            </List>
          </div>
        ))}
    </Stack>
  );
}
