#!/usr/bin/env bash
# Net::SMPP 1.19 (Perl), as Debian 12 has it (libnet-smpp-perl 1.19-3), with npm smpp 0.5.1 as the SMSC.
#
# Question: a transceiver sends one text after the other. What becomes of a receipt that arrives while it waits for submit_sm_resp?
# Expected: the next read_pdu() returns it. At worst it is read late.
# What happens: it is thrown away, and the SMSC gets no deliver_sm_resp. Only what comes between two submits can be read.
#
#   the SMSC sends:  resp of 1,  receipt of 1, resp of 2,  receipt of 2
#   the client sees: resp of 1,                resp of 2,  receipt of 2
#
# Why it matters: receipts of earlier texts come while later ones are sent, and the more is sent, the more of them meet a waiting submit.
# With little traffic all receipts are there. An SMSC that gets no answer sends again, closes the connection, or gives up.
# In asynchronous mode (`async => 1`, and one loop of read_pdu) nothing is lost.
# Where documented: under wait_pdu(), "handles or discards"; submit_sm() calls it by default.
set -euo pipefail
PACKAGE='libnet-smpp-perl=1.19-3'
EXPECT='client: submitted 1, submitted 2, read id:2
SMSC: sent receipts of 1 and 2, answered: 2
client with async: submitted 1, read id:1, submitted 2, read id:2
SMSC: sent receipts of 1 and 2, answered: 1 2'

dir=$(mktemp -d)
server=
trap 'kill $server || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial root
npm install --prefix "$dir" --no-save --silent smpp@0.5.1
apt=(apt-get -qq -o "Dir::State::lists=$dir/lists" -o APT::Sandbox::User=root)
"${apt[@]}" update
# the package, and what a bare perl-base lacks
"${apt[@]}" install --simulate --reinstall --no-install-recommends "$PACKAGE" |
  sed -n 's/^Inst \([^ ]*\).*(\([^ ]*\) .*/\1=\2/p' | xargs "${apt[@]}" download
for deb in *.deb; do dpkg -x "$deb" root; done
usr="$dir/root/usr"
export PERL5LIB="$usr/share/perl5:$usr/share/perl/5.36:$usr/lib/x86_64-linux-gnu/perl/5.36"

cat >smsc.cjs <<'NODE'
const smpp = require('smpp')
const { writeFileSync } = require('node:fs')
const server = smpp.createServer(session => {
  let texts = 0
  const answered = []
  const receipt = id => session.deliver_sm({ esm_class: 4, short_message: `id:${id} stat:DELIVRD` }, () => answered.push(id))
  session.on('error', () => {})
  session.on('bind_transceiver', pdu => session.send(pdu.response()))
  session.on('unbind', pdu => {
    session.send(pdu.response())
    console.log('SMSC: sent receipts of 1 and 2, answered:', answered.join(' '))
  })
  session.on('submit_sm', pdu => {
    const id = ++texts
    if (id === 2) receipt(1)
    session.send(pdu.response({ message_id: String(id) }))
    if (id === 2) receipt(2)
  })
})
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
NODE
node smsc.cjs >smsc.log &
server=$!
until [ -s port ]; do sleep 0.1; done

cat >client.pl <<'PERL'
use strict;
use Net::SMPP;
my ($port, $async) = @ARGV;
my ($smpp) = Net::SMPP->new_transceiver('127.0.0.1', port => $port, system_id => 'a', password => 'b') or die;
my @seen;
sub submit { $smpp->submit_sm(destination_addr => '447700900123', short_message => 'code', async => $async, @_) }
# reads what comes within a second
sub read_all {
  while (1) {
    my $bits = '';
    vec($bits, fileno($smpp), 1) = 1;
    last unless select($bits, undef, undef, 1);
    my $pdu = $smpp->read_pdu or last;
    if ($pdu->{cmd} == Net::SMPP::CMD_deliver_sm) {
      push @seen, 'read ' . substr($pdu->{short_message}, 0, 4);
      $smpp->deliver_sm_resp(seq => $pdu->{seq}, message_id => '');
    } elsif ($pdu->{cmd} == Net::SMPP::CMD_submit_sm_resp) {
      push @seen, "submitted $pdu->{message_id}";
    }
  }
}
for (1, 2) {
  my $response = submit();
  push @seen, "submitted $response->{message_id}" unless $async;
}
read_all();
$smpp->unbind;
print 'client', $async ? ' with async' : '', ': ', join(', ', @seen), "\n";
PERL
for async in 0 1; do
  timeout 20 perl client.pl "$(cat port)" $async >>seen
  sleep 0.5
  tail -1 smsc.log >>seen
done
echo "Net::SMPP $(perl -MNet::SMPP -e 'print Net::SMPP->VERSION')"
cat seen
if [ "$(cat seen)" != "$EXPECT" ]; then
  echo "CHANGED: expected"
  echo "$EXPECT"
  exit 1
fi
echo "As described: what comes while submit_sm waits is thrown away."
