#!/bin/sh
# Looks up the digest of every image of the compose files and of the Dockerfile, and writes them to docker/.env, which Compose
# reads: from then on exactly these images are used. Other lines of that file stay. Needs docker buildx and the network. Repeat it
# to update.
set -eu
cd "$(dirname "$0")"
umask 077

trap 'rm -f .env.new' EXIT
touch .env
awk '/^SERVICE_IMAGE=/ || !/^[A-Z_]*_IMAGE=/' .env > .env.new
# NAME IMAGE:TAG for each variable with an image as its default, except that of the service itself.
sed -n 's/.*\${\([A-Z_]*_IMAGE\):-\([^}]*\)}.*/\1 \2/p' compose.yaml compose.scale-out.yaml |
  grep -v '^SERVICE_IMAGE ' | sort -u |
  while read -r name image; do
    digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image")
    case $digest in
      sha256:*) printf '%s=%s@%s\n' "$name" "$image" "$digest" ;;
      *) echo "$image has no digest" >&2 && exit 1 ;;
    esac
  done >> .env.new
mv .env.new .env
grep '_IMAGE=' .env
