/** How carriers learn under which ids a text is registered in the country of a message. */
import type { Registering } from '../options/carrier-type.ts';

/** For requests that have fields for the ids of India's DLT, and for those of no other country. */
export const INDIAN_IDS: Registering<unknown> = {
  of: (_options, country) => (country === 'IN' ? 'sent' : 'no-fields'),
};

interface WithSms {
  readonly sms?: { readonly templatesInAccount: boolean };
}

/** For requests that have no such fields. */
export const IN_ACCOUNT: Registering<WithSms> = {
  of: ({ sms }) => (sms?.templatesInAccount === true ? 'in-account' : 'no-fields'),
  inAccount: 'sms.templatesInAccount',
};
