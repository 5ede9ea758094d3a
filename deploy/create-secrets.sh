#!/bin/sh
# Makes deploy/secrets/ for compose.yaml, once; what is there is never overwritten.
# Usage: deploy/create-secrets.sh [NAME]    NAME: what clients call the service, for a certificate signed by itself
set -eu
umask 077
cd "$(dirname "$0")"
name=${1:-localhost}
random() { openssl rand -hex 32; }

mkdir secrets
cd secrets
password=$(random)
random > secret
random > metrics-token
printf %s "$password" > postgres-password
# In clear: the network between the nodes and the database is theirs alone, and leads nowhere.
printf 'postgres://countersign:%s@postgres/countersign?sslmode=disable' "$password" > store-url
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj "/CN=$name" \
  -addext "subjectAltName=DNS:$name,DNS:localhost" -keyout tls-key.pem -out tls-cert.pem 2> /dev/null
# Containers see these very files, as users of their own. On the host the folder, mode 700, keeps others away.
chmod 444 -- *
echo "deploy/secrets/ is made. Keep a copy of it: without the secret and the database together nothing can be read."
