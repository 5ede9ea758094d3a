#!/usr/bin/env bash
# secsipidx 1.2.0 (STIR/SHAKEN), as Debian 12 has it (secsipidx 1.2.0-2).
#
# Question: which numbers are in the PASSporT, if they are given as E.164 with the plus, or in groups?
# Expected: digits alone. RFC 8224, 8.3, has the signer drop a plus, spaces, hyphens and brackets, and RFC 8225 wants canonical numbers.
# What happens: what was given is signed, letter by letter. So is a level of attestation that does not exist.
#
#   -orig-tn +447700900123     {"tn":"+447700900123"}
#   -orig-tn '+44 7700 900123' {"tn":"+44 7700 900123"}
#   -orig-tn 447700900123      {"tn":"447700900123"}
#
# Why it matters: calls that say codes are signed so that telephones do not call them spam. Who verifies takes the number from the From header, makes it
# canonical, and compares: "+447700900123" is not "447700900123". Most software that hands numbers over has the plus. The call goes through,
# with a signature that does not count. Drop everything but digits first.
# Where documented: the RFCs say what should be signed. The program's help says "origination (calling) number".
set -euo pipefail
PACKAGE='secsipidx=1.2.0*'
EXPECT='447700900123 A = tn 447700900123, attest A
+447700900123 A = tn +447700900123, attest A
+44 7700 900123 A = tn +44 7700 900123, attest A
447700900123 Z = tn 447700900123, attest Z'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" download "$PACKAGE"
dpkg -x secsipidx_*.deb root

cat >sign.mjs <<'NODE'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
writeFileSync('key.pem', privateKey.export({ type: 'sec1', format: 'pem' }))
for (const line of process.argv.slice(2)) {
  const [, number, attest] = /^(.*) (.)$/.exec(line)
  const identity = execFileSync('root/usr/bin/secsipidx', ['-sign-full', '-orig-tn', number, '-dest-tn', '14155550123',
    '-attest', attest, '-x5u', 'https://example.com/cert.pem', '-k', 'key.pem']).toString()
  const claims = JSON.parse(Buffer.from(identity.split('.')[1], 'base64url'))
  console.log(`${line} = tn ${claims.orig.tn}, attest ${claims.attest}`)
}
NODE
mapfile -t lines < <(sed 's/ = .*//' <<<"$EXPECT")
seen=$(node sign.mjs "${lines[@]}")
{ root/usr/bin/secsipidx -version || true; } | sed -n 1p # exits 1
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: numbers are signed as they are written."
