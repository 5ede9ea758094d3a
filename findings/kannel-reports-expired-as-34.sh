#!/usr/bin/env bash
# Kannel 1.4.5, as Debian 12 has it (kannel 1.4.5-12), with npm smpp 0.5.1 as the SMSC.
#
# Question: which number stands for "expired" in a delivery report (%d in dlr-url)?
# Expected: 2, "not delivered". The user guide has 1, 2, 4, 8 and 16 and no others.
# What happens: it depends on how the SMSC says it. Most write `stat:EXPIRED` into the text of the receipt. Some send an empty text, and
# the state in the parameters receipted_message_id and message_state. Those come as 34 if they have expired, and as 1 or 2 otherwise:
#
#   stat:DELIVRD -> 1    stat:EXPIRED -> 2     stat:UNDELIV -> 2
#   state 2      -> 1    state 3      -> 34    state 5      -> 2
#   stat:DELIVERED, stat:delivrd -> 2: what is not one of the seven words is not delivered.
#
# Why it matters: a list of statuses that has 2 and 16 for failures does not match 34, and the text that nobody got stays "on its
# way". 34 is 32 + 2: test the bit (`status & 2`), not the number.
# Where documented: nowhere. 32 is in the source.
set -euo pipefail
PACKAGE='kannel=1.4.5-12*'
EXPECT='stat:DELIVRD = 1
stat:EXPIRED = 2
stat:UNDELIV = 2
stat:DELIVERED = 2
stat:delivrd = 2
state:2 = 1
state:3 = 34
state:5 = 2'

dir=$(mktemp -d)
started=()
trap 'kill "${started[@]}" || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
npm install --prefix "$dir" --no-save --silent smpp@0.5.1
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, and those of its libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
export LD_LIBRARY_PATH="$dir/root/lib/x86_64-linux-gnu:$dir/root/usr/lib/x86_64-linux-gnu"

# an SMSC, whose receipts say what the text says; and a listener for reports
cat >peers.cjs <<'NODE'
const smpp = require('smpp')
const { createServer } = require('node:http')
const { appendFileSync, writeFileSync } = require('node:fs')
let id = 0
const smsc = smpp.createServer(session => {
  session.on('error', () => {})
  session.on('bind_transceiver', pdu => session.send(pdu.response()))
  session.on('submit_sm', pdu => {
    const message_id = `m${++id}`
    session.send(pdu.response({ message_id }))
    const [kind, value] = pdu.short_message.message.toString().split(':')
    const said = kind === 'stat'
      ? { short_message: `id:${message_id} stat:${value}` }
      : { receipted_message_id: message_id, message_state: Number(value), short_message: '' }
    const ends = { source_addr: pdu.destination_addr, destination_addr: pdu.source_addr }
    setTimeout(() => session.deliver_sm({ esm_class: 4, ...ends, ...said }), 200)
  })
})
const reports = createServer((request, response) => {
  const query = new URL(request.url, 'http://localhost').searchParams
  appendFileSync('reports', `${query.get('what')} = ${query.get('status')}\n`)
  response.end()
})
const free = [0, 1, 2, 3].map(() => createServer().listen(0, '127.0.0.1')) // ports for Kannel itself
smsc.listen(0, '127.0.0.1', () => reports.listen(0, '127.0.0.1', () => {
  writeFileSync('ports', [smsc, reports, ...free].map(server => server.address().port).join(' ') + '\n')
  for (const server of free) server.close()
}))
NODE
node peers.cjs &
started+=($!)
until [ -s ports ]; do sleep 0.1; done
read -r smsc reports admin box send _ <ports
cat >kannel.conf <<CONF
group = core
admin-port = $admin
admin-password = x
smsbox-port = $box
box-allow-ip = 127.0.0.1

group = smsc
smsc = smpp
host = 127.0.0.1
port = $smsc
transceiver-mode = true
smsc-username = a
smsc-password = b
system-type = ""

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = $send

group = sendsms-user
username = u
password = p
CONF
root/usr/sbin/bearerbox kannel.conf >bearerbox.log 2>&1 &
started+=($!)
sleep 2
root/usr/sbin/smsbox kannel.conf >smsbox.log 2>&1 &
started+=($!)
sleep 2
while read -r what _; do
  node -e 'fetch(process.argv[1])' "http://127.0.0.1:$send/cgi-bin/sendsms?username=u&password=p&from=Acme&to=%2B447700900123&text=$what&dlr-mask=19&dlr-url=http%3A%2F%2F127.0.0.1%3A$reports%2F%3Fwhat%3D$what%26status%3D%25d"
done <<<"$EXPECT"
sleep 2
root/usr/sbin/bearerbox --version 2>/dev/null | sed -n 1p
cat reports
if [ "$(sort reports)" != "$(sort <<<"$EXPECT")" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: expired is 2 in words and 34 in message_state."
