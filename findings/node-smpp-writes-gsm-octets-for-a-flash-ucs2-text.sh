#!/usr/bin/env bash
# node-smpp writes GSM octets for data_coding 0x18, which says UCS-2
#
# Installed: smpp 0.5.1 (npm), under Node 20.
#
# Question: data_coding 8 is UCS-2. With a message class it is 0x18 (class 0, "flash": shown at
# once, not stored; 3GPP TS 23.038, section 4). Does the package encode a text for 0x18 as it does
# for 8?
#
# Expected: two octets a letter, in UCS-2, for both. Or an error, as for data_coding 4 to 7.
#
# What happens: for 0x18 it writes one octet a letter in the GSM alphabet, with zero (the sign @)
# for each letter that is not in it. The label still says UCS-2:
#
#   data_coding 0x08: 043a 043e 0434 0020 0034 0038 0032 0039 0031 0033
#   data_coding 0x18: 0000 0020 3438 3239 3133
#
# A telephone reads the octets in pairs, as the label says. The code 482913 is then U+3438 U+3239
# U+3133: three East Asian characters.
#
# Why it matters: "flash" is liked for codes, since no trace of it stays. Every text that needs
# UCS-2 then arrives without its digits, and the SMSC has no reason to refuse it. Encode
# such a text to a Buffer before you give it to the package: it leaves a Buffer alone.
set -euo pipefail

SMPP=0.5.1
EXPECT='0x08, a string: 043a 043e 0434 0020 0034 0038 0032 0039 0031 0033
0x18, a string: 0000 0020 3438 3239 3133
0x18, a Buffer: 043a 043e 0434 0020 0034 0038 0032 0039 0031 0033'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund "smpp@$SMPP" >&2

cat > "$dir/look.cjs" <<'JS'
const { PDU } = require('smpp');

const text = 'код 482913';
const ucs2 = Buffer.from(text, 'utf16le').swap16();
for (const [coding, what, short_message] of [[8, 'string', text], [0x18, 'string', text], [0x18, 'Buffer', ucs2]]) {
  const octets = new PDU('submit_sm', { destination_addr: '447700900123', data_coding: coding, short_message }).toBuffer();
  // The message is the last field: data_coding, sm_default_msg_id, sm_length, then its octets.
  const start = octets.lastIndexOf(Buffer.from([coding, 0])) + 3;
  const length = octets[start - 1];
  const hex = octets.subarray(start, start + length).toString('hex').match(/.{4}/g).join(' ');
  console.log(`0x${coding.toString(16).padStart(2, '0')}, a ${what}: ${hex}`);
}
JS

echo "smpp $SMPP, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: node-smpp encodes these texts otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: UCS-2 by its label, GSM by its octets."
