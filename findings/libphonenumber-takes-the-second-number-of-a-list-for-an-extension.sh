#!/usr/bin/env bash
# libphonenumber takes the second number of a list for an extension of the first
#
# Installed: libphonenumber-js 1.13.16 and google-libphonenumber 3.2.47 (npm), under Node 20.
#
# Question: two numbers of the same country stand in one text or one cell, with a comma or a
# semicolon between. What does `findPhoneNumbersInText` find, and what does `parse` say of them?
#
# Expected: two numbers found. And no number parsed, since there are two: it throws for "or".
#
# What happens: the first digits of the second number become an extension of the first, up to nine of
# them after a comma. If a semicolon stands between, both packages parse the whole of it as one valid
# number:
#
#   "07400 123456 or 07400 123457"   found: +447400123456, +447400123457
#   "07400 123456, 07400 123457"     found: +447400123456 ext. 07400
#   "07400123456;07400123457"        parsed: +447400123456 ext. 07400123457, valid
#
# Numbers with a plus are kept apart, since no extension begins with one.
#
# Why it matters: in an import, the second person of each cell is left out without an error. A program
# that takes numbers out of its log, by the positions that it was told, leaves the rest of the second in
# clear. And a column behind the number ("07400123456,482913") is dialled after it. Split lists before
# you look for numbers, and refuse a number that has an `ext` where you send an SMS.
# Where documented: the README of libphonenumber-js has extensions with "ext." and "x", and no lists.
set -euo pipefail

LIBPHONENUMBER_JS=1.13.16
GOOGLE=3.2.47
EXPECT='Call 07400 123456 or 07400 123457
  found: +447400123456, +447400123457; left: Call [] or []
  js: no number; google: no number
07400 123456, 07400 123457
  found: +447400123456 ext. 07400; left: [] 123457
  js: no number; google: no number
07400123456, 07400123457
  found: +447400123456 ext. 074001234; left: []57
  js: no number; google: no number
07400123456;07400123457
  found: +447400123456 ext. 07400123457; left: []
  js: +447400123456 ext. 07400123457 valid; google: +447400123456 ext. 07400123457 valid
07400123456,482913
  found: +447400123456 ext. 482913; left: []
  js: +447400123456 ext. 482913 valid; google: +447400123456 ext. 482913 valid
+447400123456, +447400123457
  found: +447400123456, +447400123457; left: [], []
  js: no number; google: no number'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "libphonenumber-js@$LIBPHONENUMBER_JS" "google-libphonenumber@$GOOGLE" >&2

cat > "$dir/look.cjs" <<'JS'
const { PhoneNumberFormat, PhoneNumberUtil } = require('google-libphonenumber');
const { findPhoneNumbersInText, parsePhoneNumberFromString } = require('libphonenumber-js/max');
const plan = PhoneNumberUtil.getInstance();

const shown = (number, ext) => number + (ext ? ` ext. ${ext}` : '');
const valid = (is) => (is ? 'valid' : 'invalid');

function js(text) {
  const number = parsePhoneNumberFromString(text, 'GB');
  return number ? `${shown(number.number, number.ext)} ${valid(number.isValid())}` : 'no number';
}

function google(text) {
  try {
    const number = plan.parse(text, 'GB');
    return `${shown(plan.format(number, PhoneNumberFormat.E164), number.getExtension())} ${valid(plan.isValidNumber(number))}`;
  } catch {
    return 'no number';
  }
}

for (const text of [
  'Call 07400 123456 or 07400 123457',
  '07400 123456, 07400 123457',
  '07400123456, 07400123457',
  '07400123456;07400123457',
  '07400123456,482913',
  '+447400123456, +447400123457',
]) {
  const matches = findPhoneNumbersInText(text, 'GB');
  const found = matches.map(({ number }) => shown(number.number, number.ext)).join(', ');
  const left = matches.reduceRight((rest, { startsAt, endsAt }) => `${rest.slice(0, startsAt)}[]${rest.slice(endsAt)}`, text);
  console.log(`${text}\n  found: ${found}; left: ${left}\n  js: ${js(text)}; google: ${google(text)}`);
}
JS

echo "libphonenumber-js $LIBPHONENUMBER_JS, google-libphonenumber $GOOGLE, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: lists are read otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: the second number is an extension of the first."
