#!/usr/bin/env bash
# validator's isMobilePhone takes landlines for mobile telephones, and the other way about
#
# Installed: validator 13.15.35 and google-libphonenumber 3.2.47 (npm), under Node 20.
#
# Question: for each locale of `isMobilePhone`, what does it say to the mobile number and to
# the landline that libphonenumber gives as examples of that country (in E.164)? Only those of
# which libphonenumber itself says "mobile" and "fixed line" are asked.
#
# Expected: true for the mobile number, false for the landline.
#
# What happens: 15 locales refuse the mobile number. 7 of them take the landline instead, so
# they are exactly wrong. Three of these:
#
#   es-GT  mobile +50251234567 refused, landline +50222456789 taken
#   fa-AF  mobile +93701234567 refused, landline +93234567890 taken
#   en-GG  mobile +447781123456 refused, landline +441481256789 taken
#
# For Guatemala, Afghanistan, Guernsey and Namibia no mobile number passes: the expression
# wants the first digits of landlines, or a digit less. en-JM wants the calling code +876.
# 33 more locales take both.
#
# Why it matters: a form that checks `isMobilePhone(value, locale)` shuts out every person of
# these countries, and the program that sends codes never sees an attempt. The landlines that
# pass are paid for and get no SMS. The expressions are written by hand, one by one, and no
# numbering plan updates them.
set -euo pipefail

VALIDATOR=13.15.35
GOOGLE=3.2.47
EXPECT='az-AZ: mobile +994401234567 refused
bg-BG: mobile +35943012345 refused
de-LU: mobile +352628123456 refused
en-GG: mobile +447781123456 refused, landline +441481256789 taken
en-JM: mobile +18762101234 refused
en-LS: mobile +26650123456 refused, landline +26622123456 taken
en-MT: mobile +35696961234 refused, landline +35621001234 taken
en-NA: mobile +264811234567 refused, landline +26461221234 taken
es-GT: mobile +50251234567 refused, landline +50222456789 taken
fr-BJ: mobile +2290195123456 refused
my-MM: mobile +9592123456 refused
so-SO: mobile +25271123456 refused
tg-TJ: mobile +992917123456 refused
ar-EH: mobile +212650123456 refused, landline +212528812345 taken
fa-AF: mobile +93701234567 refused, landline +93234567890 taken
locales that take both: 33'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "validator@$VALIDATOR" "google-libphonenumber@$GOOGLE" >&2

cat > "$dir/look.cjs" <<'JS'
const { isMobilePhone, isMobilePhoneLocales } = require('validator');
const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = require('google-libphonenumber');
const plan = PhoneNumberUtil.getInstance();

function example(country, type) {
  const number = plan.getExampleNumberForType(country, type);
  return number && plan.getNumberType(number) === type ? plan.format(number, PhoneNumberFormat.E164) : undefined;
}

let both = 0;
for (const locale of isMobilePhoneLocales) {
  const country = locale.split('-').at(-1);
  const mobile = example(country, PhoneNumberType.MOBILE);
  const landline = example(country, PhoneNumberType.FIXED_LINE);
  if (mobile === undefined) continue;
  const takes = (number) => number !== undefined && isMobilePhone(number, locale);
  if (takes(mobile) && takes(landline)) both += 1;
  if (takes(mobile)) continue;
  console.log(`${locale}: mobile ${mobile} refused` + (takes(landline) ? `, landline ${landline} taken` : ''));
}
console.log(`locales that take both: ${both}`);
JS

echo "validator $VALIDATOR, google-libphonenumber $GOOGLE, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: isMobilePhone judges these examples otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: whole countries are refused."
