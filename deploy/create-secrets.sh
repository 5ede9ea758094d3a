#!/bin/sh
# Makes deploy/secrets/ for compose.yaml, once. Existing files are never overwritten.
# Usage: deploy/create-secrets.sh [NAME]    NAME: host name of the service, for a self-signed certificate
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
# Unencrypted: only the nodes and the database are on this network, and it leads nowhere.
printf 'postgres://countersign:%s@postgres/countersign?sslmode=disable' "$password" > store-url
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj "/CN=$name" \
  -addext "subjectAltName=DNS:$name,DNS:localhost" -keyout tls-key.pem -out tls-cert.pem 2> /dev/null
# Containers read these files as users of their own. On the host the folder's mode 700 protects them.
chmod 444 -- *
echo "deploy/secrets/ is ready. Keep a copy of it: the database cannot be read without the secret."
