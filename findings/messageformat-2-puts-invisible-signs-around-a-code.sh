#!/usr/bin/env bash
# MessageFormat 2 puts two invisible signs around a code, and the SMS costs twice as much
#
# Installed: messageformat 4.0.0, intl-messageformat 12.1.5 and sms-segments-calculator 1.3.0 (npm),
# under Node 20.
#
# Question: an English text of 98 letters, all in the GSM alphabet, is translated by
# `new MessageFormat('en', '{$code} is your code. ...')`. What comes out for the string "012345"?
#
# Expected: the text with the code in it, as with `{code}` of the older intl-messageformat.
#
# What happens: the code stands between U+2068 and U+2069, which nobody sees on a screen. The text
# cannot be sent in the GSM alphabet any more, and is two messages:
#
#   intl-messageformat   "012345 is your code. ..."               98 letters, GSM-7, 1 segment
#   messageformat        "\u2068012345\u2069 is your code. ..."   100 letters, UCS-2, 2 segments
#
# A code that is a number gets separators, too ("482,913"), which `{code}` did not do.
#
# Why: a string may be of right-to-left script, so it is kept apart from the text around it.
#
# Why it matters: it is there in English as well, and in each text, so the bill doubles with an
# update of the translations. An expression that looks for `^\d{6}` does not find the code,
# and a copied one carries a sign along. Give `{ bidiIsolation: 'none' }` for texts that are sent.
# Where documented: the options' reference page; not in the README.
set -euo pipefail

MESSAGEFORMAT=4.0.0
INTL=12.1.5
SEGMENTS=1.3.0
EXPECT='messageformat, "012345": "\u2068012345\u2069 is your code.", 100 letters, UCS-2, 2 segments
messageformat, 482913: "482,913 is your code.", 99 letters, GSM-7, 1 segment
without isolation, "012345": "012345 is your code.", 98 letters, GSM-7, 1 segment
without isolation, 482913: "482,913 is your code.", 99 letters, GSM-7, 1 segment
intl-messageformat, "012345": "012345 is your code.", 98 letters, GSM-7, 1 segment
intl-messageformat, 482913: "482913 is your code.", 98 letters, GSM-7, 1 segment'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "messageformat@$MESSAGEFORMAT" "intl-messageformat@$INTL" "sms-segments-calculator@$SEGMENTS" >&2

cat > "$dir/look.mjs" <<'JS'
import { IntlMessageFormat } from 'intl-messageformat';
import { MessageFormat } from 'messageformat';
import { SegmentedMessage } from 'sms-segments-calculator';

const rest = 'is your code. Do not share it with anyone. It is valid for 10 minutes and can be used once.';
const ways = {
  messageformat: new MessageFormat('en', `{$code} ${rest}`),
  'without isolation': new MessageFormat('en', `{$code} ${rest}`, { bidiIsolation: 'none' }),
  'intl-messageformat': new IntlMessageFormat(`{code} ${rest}`, 'en'),
};
for (const [name, way] of Object.entries(ways)) {
  for (const code of ['012345', 482913]) {
    const text = way.format({ code });
    const { encodingName, segmentsCount } = new SegmentedMessage(text);
    const start = text.split(' Do not')[0].replace(/[\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
    const segments = `${segmentsCount} ${segmentsCount === 1 ? 'segment' : 'segments'}`;
    console.log(`${name}, ${JSON.stringify(code)}: "${start}", ${text.length} letters, ${encodingName}, ${segments}`);
  }
}
JS

echo "messageformat $MESSAGEFORMAT, intl-messageformat $INTL, sms-segments-calculator $SEGMENTS, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.mjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the code is written otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: two invisible signs, and two segments."
