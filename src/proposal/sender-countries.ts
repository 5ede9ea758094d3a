/**
 * Where a name is no sender of an SMS, and where it has to be registered first. Each list comes from the document above it; a
 * country that no document names is not here.
 */

interface CountryList {
  /** What was read, and when. */
  readonly source: string;
  readonly countries: readonly string[];
}

const AWS_LIST =
  'AWS End User Messaging SMS User Guide, "Supported countries and regions for SMS messaging", read 2026-11-23';

/** The column "Supports Sender IDs" says "No": a name is replaced by a number there, or the message does not arrive. */
export const NO_NAMES: readonly CountryList[] = [
  {
    source: AWS_LIST,
    countries: codes(
      'AR BE BR BS CA CG CL CN CO CR DO EC FM GT GU HU KN KR KY LC LR MC MH MY MZ NI NZ PE PR PY SV TM TW US UY VE VI ZA',
    ),
  },
];

/** The same column says "Registration required", or, of Singapore, its note 5 does. */
export const REGISTERED_NAMES: readonly CountryList[] = [
  {
    source: AWS_LIST,
    countries: codes('AE AU BY EG ES GB ID IE IN JO KE KW KZ LK OM PH QA RU SA SG TH TR VN ZM'),
  },
];

function codes(list: string): readonly string[] {
  return list.split(' ');
}
