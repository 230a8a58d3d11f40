"""Typed client of the Workspace Scraping Service."""

from .aio import AsyncClient
from .client import Client
from .errors import ApiError, WebhookVerificationError
from .retry import Retry
from .webhooks import verify_webhook

__all__ = [
    "ApiError",
    "AsyncClient",
    "Client",
    "Retry",
    "WebhookVerificationError",
    "verify_webhook",
]
