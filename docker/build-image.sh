#!/bin/sh
# Builds and pushes the image of the service with two attestations, its SBOM and its provenance (SLSA), and prints its digest.
#   docker/build-image.sh registry.example.org/workspace-scraping-service:1.0.0
# Check them with: docker buildx imagetools inspect IMAGE --format '{{json .Provenance}}' (or .SBOM)
set -eu
cd "$(dirname "$0")/.."
image=${1:?the name of the image with its tag}
[ -f docker/.env ] && . docker/.env
docker buildx build --file docker/Dockerfile --tag "$image" --push \
  --build-arg "NODE_IMAGE=${NODE_IMAGE:-node:24.11.0-slim}" \
  --label "org.opencontainers.image.revision=$(git rev-parse HEAD)" \
  --sbom=true --provenance=mode=max .
docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image"
