#!/usr/bin/env bash
# Two of three PDU packages misread the time of networks in America, and the third one's in India
#
# Installed: node-pdu 2.1.1, pdu.ts 1.1.4 and pdu 1.1.0 (npm), under Node 20.
#
# Question: a received SMS (SMS-DELIVER) holds when the centre got it, in local time and with the
# distance from UTC in quarters of an hour (3GPP TS 23.040, section 9.2.3.11). Do the packages agree on
# one moment, as networks of several countries write it?
#
# Expected: yes, the same moment from each.
#
# What happens: pdu.ts and pdu are right as far west as -4:45, and hours too early from -5:00 on, which
# is New York, Lima and all to their west:
#
#   12:00 UTC, as New York writes it (07:00, 0A): node-pdu 12:00, pdu.ts and pdu 04:30
#
# node-pdu has the right moment, but its `getIsoString()` writes "+5.5:00", which is no date.
#
# Why: the sign is a bit in the digit for the tens, which makes an A of 2. pdu and pdu.ts write the A
# as "10" before they look for the sign, and find +10 quarters: two and a half hours east.
#
# Why it matters: who receives codes on a modem, to measure how long they take, finds negative times or
# delays of hours in one half of a continent; and who drops what is older than the code drops them all.
# Measure with your own clock, when the modem reports the message.
set -euo pipefail

NODE_PDU=2.1.1
PDU_TS=1.1.4
PDU=1.1.0
EXPECT='UTC: 12:00 00, node-pdu 12:00, ISO string 12:00, pdu.ts 12:00, pdu 12:00
London in summer: 13:00 40, node-pdu 12:00, ISO string 12:00, pdu.ts 12:00, pdu 12:00
Kolkata: 17:30 22, node-pdu 12:00, ISO string no date, pdu.ts 12:00, pdu 12:00
St. Johns: 08:30 49, node-pdu 12:00, ISO string no date, pdu.ts 12:00, pdu 12:00
Caracas: 08:00 69, node-pdu 12:00, ISO string 12:00, pdu.ts 12:00, pdu 12:00
New York: 07:00 0A, node-pdu 12:00, ISO string 12:00, pdu.ts 04:30, pdu 04:30
Mexico City: 06:00 4A, node-pdu 12:00, ISO string 12:00, pdu.ts 03:30, pdu 03:30
Los Angeles: 04:00 2B, node-pdu 12:00, ISO string 12:00, pdu.ts 01:15, pdu 01:15'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir" --no-save --silent --no-audit --no-fund \
  "node-pdu@$NODE_PDU" "pdu.ts@$PDU_TS" "pdu@$PDU" >&2

cat > "$dir/look.mjs" <<'JS'
import * as nodePdu from 'node-pdu';
import pdu from 'pdu';
import pduTs from 'pdu.ts';

const { PDUParser } = pduTs;
const swapped = (digits) => digits.replace(/(.)(.)/g, '$2$1');

/** The local time of 2026-11-30 12:00 UTC, and the distance from UTC, as the centre writes them. */
function timestamp(quarters) {
  const local = new Date(Date.UTC(2026, 10, 30, 12, 15 * quarters)).toISOString();
  const [tens, ones] = String(Math.abs(quarters)).padStart(2, '0');
  const zone = ones + (Number(tens) + (quarters < 0 ? 8 : 0)).toString(16).toUpperCase();
  return { clock: local.slice(11, 16), zone, octets: swapped(local.replace(/\D/g, '').slice(2, 14)) + zone };
}

const shown = (time) => (Number.isNaN(Number(time)) ? 'no date' : new Date(time).toISOString().slice(11, 16));

const zones = {
  UTC: 0, 'London in summer': 4, Kolkata: 22, 'St. Johns': -14, Caracas: -16, 'New York': -20, 'Mexico City': -24, 'Los Angeles': -32,
};
for (const [place, quarters] of Object.entries(zones)) {
  const { clock, zone, octets } = timestamp(quarters);
  // SMS-DELIVER without a centre's number, from +447700900123, in the GSM alphabet, with the text "x1"
  const text = `00040C914477000910320000${octets}02F818`;
  const stamp = nodePdu.parse(text).serviceCenterTimeStamp;
  const answers = [
    `node-pdu ${shown(stamp.time * 1000)}`,
    `ISO string ${shown(new Date(stamp.getIsoString()))}`,
    `pdu.ts ${shown(PDUParser.Parse(text).time)}`,
    `pdu ${shown(pdu.parse(text).time)}`,
  ];
  console.log(`${place}: ${clock} ${zone}, ${answers.join(', ')}`);
}
JS

echo "node-pdu $NODE_PDU, pdu.ts $PDU_TS, pdu $PDU, Node $(node --version)"
seen=$(TZ=UTC timeout 50 node "$dir/look.mjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the packages read these times otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: from New York on to the west, two of three are wrong."
