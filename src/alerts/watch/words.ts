/** Figures and names in the sentences of alerts. */
const NO_COUNTRY = 'ZZ';

let countries: Intl.DisplayNames | undefined;

/** Made when it is first needed, because reading the names takes time. */
export function nameCountry(code: string): string {
  if (code === NO_COUNTRY) return 'addresses without a country';
  countries ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  return countries.of(code) ?? code;
}

export const formatShare = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

const MILLIONTHS = 1_000_000;

export const formatMoney = (millionths: number, currency: string): string =>
  `${(millionths / MILLIONTHS).toFixed(2)} ${currency}`;
