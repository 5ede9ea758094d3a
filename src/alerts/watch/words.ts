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

/** Hundredths, or as many decimals as a smaller amount needs to be told from nothing. */
export function formatMoney(millionths: number, currency: string): string {
  const amount = millionths / MILLIONTHS;
  const decimals = amount > 0 && amount < 0.01 ? Math.min(6, 1 - Math.floor(Math.log10(amount))) : 2;
  return `${amount.toFixed(decimals)} ${currency}`;
}
