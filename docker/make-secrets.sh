#!/bin/sh
# Writes the secrets of the compose files into docker/secrets, one file each. Keeps those that exist, so it can be repeated.
# Only this user may enter the folder; the files themselves are readable, because containers read them as other users.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

# Writes a file from standard input unless it exists.
keep() {
  if [ ! -e "$1" ]; then
    cat > "$1.new"
    chmod 444 "$1.new"
    mv "$1.new" "$1"
  fi
}
random() { openssl rand -hex "$1" | tr -d '\n'; }

for name in postgres_password owner_password request_password redis_password encryption_key admin_token grafana_password; do
  random 32 | keep "$name"
done
# The store accepts no longer ones.
random 10 | keep store_user
random 20 | keep store_password
# Yours to fill in; an empty file means none.
for name in platform_client_secret oidc_client_secret smtp_url; do
  printf '' | keep "$name"
done
printf 'postgres://wss_owner:%s@postgres:5432/scraper' "$(cat owner_password)" | keep database_url
printf 'postgres://wss_request:%s@postgres:5432/scraper' "$(cat request_password)" | keep database_request_url
printf 'redis://:%s@redis:6379' "$(cat redis_password)" | keep redis_url
echo "The secrets are in $(pwd)"
