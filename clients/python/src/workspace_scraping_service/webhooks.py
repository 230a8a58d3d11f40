"""Verification of signed webhook deliveries (Standard Webhooks)."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from .errors import WebhookVerificationError


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, tolerance_seconds: float = 300
) -> dict[str, Any]:
    """Return the event of a signed delivery.

    ``headers`` may have names in any case; ``body`` is the request body exactly as received. Raises
    WebhookVerificationError unless one of the signatures was made with the secret over this id, time and body, at
    most ``tolerance_seconds`` ago.
    """
    named = {name.lower(): value for name, value in headers.items()}
    try:
        delivery, sent_at, signatures = (named[f"webhook-{part}"] for part in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise WebhookVerificationError(f"The delivery is not signed: {missing.args[0]} is missing") from None
    if not (sent_at.isascii() and sent_at.isdigit()) or abs(time.time() - int(sent_at)) > tolerance_seconds:
        raise WebhookVerificationError(f"The delivery's time is more than {tolerance_seconds} s away")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    expected = hmac.digest(_secret_bytes(secret), f"{delivery}.{sent_at}.".encode() + raw, hashlib.sha256)
    for signature in signatures.split():
        version, _, encoded = signature.partition(",")
        if version == "v1" and hmac.compare_digest(_from_base64(encoded) or b"", expected):
            return json.loads(raw)
    raise WebhookVerificationError("No signature of the delivery was made with this secret")


_ENCODED = re.compile(r"whsec_((?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2,4})={0,2}")


def _secret_bytes(secret: str) -> bytes:
    """Base64, with or without padding, after ``whsec_`` is decoded; any other secret stands for its UTF-8 bytes."""
    encoded = _ENCODED.fullmatch(secret)
    if encoded is None:
        return secret.encode()
    return base64.b64decode(encoded[1] + "=" * (-len(encoded[1]) % 4))


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
