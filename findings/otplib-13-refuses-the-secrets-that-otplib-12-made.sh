#!/usr/bin/env bash
# otplib 13 refuses the secrets that otplib 12 made
#
# Installed: otplib 12.0.1 and otplib 13.5.0 (npm), under Node 20.
#
# Question: does an update from 12 to 13 keep the authenticator apps working that people have set
# up with 12? And what does a mistyped code do?
#
# Expected: the same secret gives the same code, and a wrong code is `false`.
#
# What happens: the secret that `generateSecret()` of version 12 makes has 16 letters, which is 10
# octets. Version 13 wants 16 octets, and throws for each of these people:
#
#   16 letters: otplib 12 says 612907, otplib 13 throws "Secret must be at least 16 bytes ..."
#
# A code with a digit too few is no longer `false` but another error. A secret in groups of four
# (as apps show it) is refused by 13, while 12 takes it and gives a wrong code silently.
#
# Why it matters: 16 letters were the usual length for many years, in other libraries too. After
# the update nobody with an old secret can sign in, and `catch` around the check looks the same for
# a short secret, a mistyped code and a real fault. RFC 4226 (section 4, R6) asks for 16 octets, so the
# limit is right for new secrets; give `createGuardrails({ MIN_SECRET_BYTES: 10 })` for the old.
set -euo pipefail

OLD=12.0.1
NEW=13.5.0
EXPECT='letters of a secret made by 12: 16
16 letters: 12 says 612907, 13 throws "Secret must be at least 16 bytes (128 bits), got 10 bytes"
32 letters: 12 says 344533, 13 344533
in groups of four: 12 says 733066, 13 throws "Invalid Base32 string: Unknown letter " ". Allowed: ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
16 letters with a lower limit: 13 612907
code 34453: 12 says false, 13 throws "Token must be 6 digits, got 5"
code 344534: 12 says false, 13 false
code 344533: 12 says true, 13 true'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
timeout 120 npm install --prefix "$dir/old" --no-save --silent --no-audit --no-fund "otplib@$OLD" >&2
timeout 120 npm install --prefix "$dir/new" --no-save --silent --no-audit --no-fund "otplib@$NEW" >&2

cat > "$dir/look.cjs" <<'JS'
const old = require(`${__dirname}/old/node_modules/otplib`).authenticator;
const { createGuardrails, generateSync, verifySync } = require(`${__dirname}/new/node_modules/otplib`);

const epoch = 1_764_446_400; // seconds
old.options = { epoch: epoch * 1000 };
const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `throws "${error.message}"`;
  }
};

console.log(`letters of a secret made by 12: ${old.generateSecret().length}`);
const short = 'JBSWY3DPEHPK3PXP';
const long = short + short;
const secrets = { '16 letters': short, '32 letters': long, 'in groups of four': long.replace(/....(?=.)/g, '$& ') };
for (const [what, secret] of Object.entries(secrets)) {
  const codes = [attempt(() => old.generate(secret)), attempt(() => generateSync({ secret, epoch }))];
  console.log(`${what}: 12 says ${codes[0]}, 13 ${codes[1]}`);
}
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 });
console.log(`16 letters with a lower limit: 13 ${attempt(() => generateSync({ secret: short, epoch, guardrails }))}`);
for (const token of ['34453', '344534', '344533']) {
  const answers = [old.check(token, long), attempt(() => verifySync({ secret: long, token, epoch }).valid)];
  console.log(`code ${token}: 12 says ${answers[0]}, 13 ${answers[1]}`);
}
JS

echo "otplib $OLD and $NEW, Node $(node --version)"
seen=$(timeout 50 node "$dir/look.cjs")
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: the two versions agree or differ otherwise. Expected:" >&2
  echo "$EXPECT" >&2
  exit 1
fi
echo "As expected: old secrets are refused."
