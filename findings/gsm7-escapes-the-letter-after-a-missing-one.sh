#!/usr/bin/env bash
# gsm7 writes an escape for a letter that it lacks, which also takes the next letter
#
# Installed: gsm7 1.3.1 (npm), under Node 20.
#
# Question: what becomes of a letter that the GSM 7-bit alphabet does not have, such as the
# small c with cedilla or the u with circumflex?
#
# Expected: an error, or a replacement such as `?`.
#
# What happens: `encode` writes the escape septet (0x1B) for it, and nothing else. The escape
# joins the letter that follows: together they are one sign of the extension table
# (3GPP TS 23.038, section 6.2.1.1). An e becomes a euro sign, `(` becomes `{`, `<` becomes `[`:
#
#   "ç"   1b      "çe"  1b 65 = the euro sign
#   "ú<"  1b 3c = "["   "ç("  1b 28 = "{"
#
# If there is no such sign, the package's own `decode` writes the word "undefined", and the next
# letter is gone (a telephone would show that letter, or a blank):
#
#   "Código 482913" is read as "Cundefinedigo 482913"
#   "nº4829" is read as "nundefined829"
#
# Why it matters: the text is neither refused nor visibly marked. A digit of the code may go
# with the letter before it. Check that every letter is in the alphabet
# before you encode, and send the others as UCS-2.
set -euo pipefail

GSM7=1.3.1
EXPECT='é: 05, read as "é"
ç: 1b, read as ""
çe: 1b 65, read as "€"
ç(: 1b 28, read as "{"
ú<: 1b 3c, read as "["
õ=: 1b 3d, read as "~"
Código 482913: 43 1b 64 69 67 6f 20 34 38 32 39 31 33, read as "Cundefinedigo 482913"
nº4829: 6e 1b 34 38 32 39, read as "nundefined829"'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "gsm7@$GSM7" >&2

cat > "$dir/look.cjs" <<'JS'
const { decode, encode } = require('gsm7');

/** The septets of packed octets: the lowest bits first (3GPP TS 23.038, section 6.1.2.1). */
function unpack(octets) {
  const bits = [...octets].reverse().map((octet) => octet.toString(2).padStart(8, '0')).join('');
  const septets = [];
  for (let end = bits.length; end >= 7; end -= 7) {
    septets.push(Number.parseInt(bits.slice(end - 7, end), 2).toString(16).padStart(2, '0'));
  }
  return septets.join(' ');
}

for (const text of ['é', 'ç', 'çe', 'ç(', 'ú<', 'õ=', 'Código 482913', 'nº4829']) {
  console.log(`${text}: ${unpack(encode(text))}, read as "${decode(encode(text))}"`);
}
JS

echo "gsm7 $GSM7, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: gsm7 encodes these letters otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: the letter after a missing one changes too."
