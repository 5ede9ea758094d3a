#!/usr/bin/env bash
# webhook 2.8.0 (adnanh's), as Debian 12 has it (webhook 2.8.0-4+b6).
#
# Question: a hook runs a program if the HMAC of the body fits (rule `payload-hmac-sha256`). What does it answer, if it does not fit?
# Expected: 4xx for a wrong signature and for none, 5xx if the program fails.
# What happens: the program runs only if the signature fits, but the answers are not what a sender goes by:
#
#   right signature                      200
#   right, and the program exits 1       200 (it is answered before the program ends)
#   right, and there is no such program  200
#   no signature                         200 "Hook rules were not satisfied."
#   wrong signature                      500 "Error occurred while evaluating hook rules."
#
# Why it matters: who sends webhooks takes 200 for "has it" and 500 for "try again later". So a sender without a secret loses every event
# and sees nothing; one with the old secret tries for days; and a program that always fails is never told of. Set
# `trigger-rule-mismatch-http-response-code` and `include-command-output-in-response`: with both set, none is 403, a failed program
# is 500, and a wrong signature is still 500.
# Where documented: the page of hook definitions has both options. It does not mention that wrong and absent differ.
set -euo pipefail
PACKAGE='webhook=2.8.0-4*'
EXPECT='plain: right 200, exits 1 200, no program 200, unsigned 200, wrong 500; the program ran 1 time
options: right 200, exits 1 500, no program 500, unsigned 403, wrong 500; the program ran 1 time'

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" download "$PACKAGE"
dpkg -x webhook_*.deb root

cat >ask.mjs <<'NODE'
import { createHmac } from 'node:crypto'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const here = process.cwd()
writeFileSync('right.sh', `#!/bin/sh\necho ran >>${here}/ran\n`, { mode: 0o755 })
const programs = { right: `${here}/right.sh`, exits: '/bin/false', absent: `${here}/absent` }
const options = { 'include-command-output-in-response': true, 'trigger-rule-mismatch-http-response-code': 403 }
const match = { type: 'payload-hmac-sha256', secret: 'secret', parameter: { source: 'header', name: 'X-Signature' } }

async function answers(name, extra) {
  const hooks = Object.entries(programs)
    .map(([id, program]) => ({ id, 'execute-command': program, 'trigger-rule': { match }, ...extra }))
  writeFileSync('hooks.json', JSON.stringify(hooks))
  const free = createServer().listen(0, '127.0.0.1')
  await pause(50)
  const { port } = free.address()
  await new Promise(done => free.close(done))
  const webhook = spawn(`${here}/root/usr/bin/webhook`, ['-hooks', 'hooks.json', '-ip', '127.0.0.1', '-port', port])
  process.once('exit', () => webhook.kill())
  const body = JSON.stringify({ event: 'verification.confirmed' })
  const sign = secret => ({ 'X-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` })
  const ask = async (hook, signature) => {
    const headers = { 'Content-Type': 'application/json', ...signature }
    for (let tries = 0; ; tries += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/hooks/${hook}`, { method: 'POST', headers, body })
        .catch(error => { if (tries > 50) throw error })
      if (answer) return answer.status
      await pause(100)
    }
  }
  rmSync('ran', { force: true })
  const seen = [
    `right ${await ask('right', sign('secret'))}`, `exits 1 ${await ask('exits', sign('secret'))}`,
    `no program ${await ask('absent', sign('secret'))}`, `unsigned ${await ask('right', {})}`,
    `wrong ${await ask('right', sign('old secret'))}`,
  ]
  await pause(300)
  webhook.kill()
  const ran = existsSync('ran') ? readFileSync('ran', 'utf8').trim().split('\n').length : 0
  console.log(`${name}: ${seen.join(', ')}; the program ran ${ran} time`)
}
await answers('plain', {})
await answers('options', options)
NODE
seen=$(timeout 40 node ask.mjs)
root/usr/bin/webhook -version
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: none is 200, wrong is 500, and a program that fails is 200."
