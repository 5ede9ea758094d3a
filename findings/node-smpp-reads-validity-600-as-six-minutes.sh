#!/usr/bin/env bash
# npm smpp 0.5.1 (node-smpp).
#
# Question: which validity does submit_sm have, if `validity_period` is the string '600'?
# Expected: 600 seconds, or an error: SMPP wants sixteen characters.
# What happens: short strings are taken for the right end of YYMMDDhhmmss, filled with zeros, and marked as relative. So the last two
# digits are seconds and the two before them are minutes:
#
#   '600'  -> 000000000600000R   six minutes
#   '300'  -> 000000000300000R   three minutes
#   '90'   -> 000000000090000R   ninety in a field that goes to 59
#   '3600' -> 000000003600000R   thirty-six minutes
#   600    -> throws, as does any number
#
# Why it matters: a code that is valid for ten minutes is dropped by the network after six, when the telephone was off in between, and
# the receipt says EXPIRED. Reading a PDU back with the same library agrees with it, so a test of one's own does not find it.
# Where documented: the README says that a portion of a relative time is enough, and that '0430' becomes 000000000430000R. It does not
# say that this is four and a half minutes.
set -euo pipefail
EXPECT="'600' 000000000600000R 6 minutes
'300' 000000000300000R 3 minutes
'90' 000000000090000R 1.5 minutes
'3600' 000000003600000R 36 minutes
600 throws"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --prefix "$dir" --no-save --silent smpp@0.5.1

cat >ask.cjs <<'NODE'
const { PDU } = require('smpp')
for (const validity_period of ['600', '300', '90', '3600', 600]) {
  const name = typeof validity_period === 'string' ? `'${validity_period}'` : validity_period
  try {
    const octets = new PDU('submit_sm', { destination_addr: '447700900123', validity_period, short_message: 'x' }).toBuffer()
    const onTheWire = /\d{15}[R+-]/.exec(octets.toString('latin1'))[0]
    const minutes = (PDU.fromBuffer(octets).validity_period - Date.now()) / 60_000
    console.log(name, onTheWire, Math.round(minutes * 10) / 10, 'minutes')
  } catch {
    console.log(name, 'throws')
  }
}
NODE
seen=$(node ask.cjs)
echo "smpp $(node -p "require('smpp/package.json').version")"
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: the digits are minutes and seconds, not seconds."
