#!/usr/bin/env bash
# smstools 3.1.21 (smsd), as Debian 12 has it (smstools 3.1.21-4), with a modem of twenty lines over TCP.
#
# Question: which number does it dial, if the number in "To:" has brackets, a slash, dots or a no-break space?
# Expected: the same digits, or the file moves to "failed": a name in "To:" does ("No destination").
# What happens: it dials what stands before the first such character. "+44(0)7700900123" goes to +44. The file moves to "sent".
# Spaces and hyphens are fine, as documented.
#
#   +44 7700 900123                      -> 447700900123
#   +44(0)7700900123, +44.7700.900123    -> 44
#   447700900123,447700900124            -> 447700900123, and nobody else
#
# Why it matters: numbers are written like that on paper, and no-break spaces come with copying. The code goes to a short number or
# a stranger, and the file says that it was sent. Hand over digits alone.
# Where documented: fileformat.html of smstools allows "grouped format, like 358 12 345 6789". It says nothing of others.
set -euo pipefail
PACKAGE='smstools=3.1.21-4*'
# the number in "To:", where the file went, and the number that the modem was told to dial
EXPECT='+447700900123 = sent 447700900123
+44 7700 900123 = sent 447700900123
+44-7700-900123 = sent 447700900123
+44(0)7700900123 = sent 44
+44.7700.900123 = sent 44
+44/7700900123 = sent 44
447700900123,447700900124 = sent 447700900123
Acme = failed '

dir=$(mktemp -d)
started=()
trap 'kill "${started[@]}" || true; wait; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root outgoing checked incoming sent failed
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, and those of its libraries that this system lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
export LD_LIBRARY_PATH="$dir/root/usr/lib:$dir/root/usr/lib/x86_64-linux-gnu"

# a modem that says yes to everything, and writes down for each text which number it was to dial
cat >modem.mjs <<'MODEM'
import { createServer } from 'node:net'
import { appendFileSync, writeFileSync } from 'node:fs'
const server = createServer(socket => {
  let input = ''
  socket.on('error', () => {}).on('data', data => {
    input += data.toString('latin1')
    for (let end; (end = input.search(/[\r\x1a]/)) >= 0; input = input.slice(end + 1)) {
      const line = input.slice(0, end).trim()
      const pdu = /^00....(..)91((?:..)+)/.exec(line) // SMS-SUBMIT to an international number
      if (line.startsWith('AT+CMGS')) socket.write('\r\n> ')
      else if (pdu) {
        const digits = pdu[2].replace(/(.)(.)/g, '$2$1').slice(0, parseInt(pdu[1], 16))
        appendFileSync('dialled', `${Buffer.from(line.slice(-2), 'hex')} ${digits}\n`)
        socket.write('\r\n+CMGS: 1\r\n\r\nOK\r\n')
      } else if (line.includes('CPIN')) socket.write('\r\n+CPIN: READY\r\n\r\nOK\r\n')
      else if (line.includes('CREG')) socket.write('\r\n+CREG: 0,1\r\n\r\nOK\r\n')
      else if (line) socket.write('\r\nOK\r\n')
    }
  })
}).listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
MODEM
node modem.mjs &
started+=($!)
until [ -s port ]; do sleep 0.1; done

{
  printf 'devices = GSM1\ndelaytime = 1\nlogfile = %s/log\ninfofile = %s/info\npidfile = %s/pid\n' "$dir" "$dir" "$dir"
  for folder in outgoing checked incoming sent failed; do printf '%s = %s/%s\n' $folder "$dir" $folder; done
  printf '[GSM1]\ndevice = @127.0.0.1:%s\nincoming = no\n' "$(cat port)"
} >smsd.conf
# each text is one letter, which tells which file it came from
letters=(A B C D E F G H)
mapfile -t numbers < <(sed 's/ = .*//' <<<"$EXPECT")
for i in "${!numbers[@]}"; do
  printf 'To: %s\n\n%s' "${numbers[i]}" "${letters[i]}" >"${letters[i]}"
  mv "${letters[i]}" outgoing/
done
root/usr/sbin/smsd -t -c"$dir/smsd.conf" -uroot -groot >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 100); do
  [ "$(find sent failed -type f | wc -l)" = "${#numbers[@]}" ] && break
  sleep 0.3
done

seen=$(for i in "${!numbers[@]}"; do
  folder=$([ -e "sent/${letters[i]}" ] && echo sent || echo failed)
  echo "${numbers[i]} = $folder $(sed -n "s/^${letters[i]} //p" dialled)"
done)
root/usr/sbin/smsd -V 2>&1 | sed -n '1s/,.*//p'
echo "$seen"
if [ "$seen" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: smsd dials what stands before the first strange character, and says that it sent."
