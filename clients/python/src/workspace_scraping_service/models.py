"""Records of the contract. Written by ``npm run client:generate`` from docs/openapi.json."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Literal, NotRequired, TypedDict, Union

AddedFeedsDto = TypedDict(
    "AddedFeedsDto",
    {
        "created": "int",
        "existing": "int",
        "refused": "list[RefusedFeedDto]",
    },
)

AddedMemberDto = TypedDict(
    "AddedMemberDto",
    {
        "id": "str",
        "email": "str",
        "role": "Literal['editor', 'owner', 'reader']",
        "last_seen_at": "Union[str, None]",
        "invitation_refusal": "NotRequired[Union[str, None]]",
    },
)

AdminSessionDto = TypedDict(
    "AdminSessionDto",
    {
        "expires_at": "Union[str, None]",
    },
)

AdminWorkspaceDto = TypedDict(
    "AdminWorkspaceDto",
    {
        "id": "str",
        "name": "str",
        "status": "Literal['active', 'deleting', 'suspended']",
        "created_at": "str",
        "last_activity_at": "Union[str, None]",
        "usage": "WorkspaceUsageDto",
        "quotas": "QuotasOfWorkspaceDto",
        "quota_defaults": "QuotasOfWorkspaceDto",
        "retention_days": "RetentionOfWorkspaceDto",
        "deletion": "Union[WorkspaceDeletionDto, None]",
    },
)

AdminWorkspacePageDto = TypedDict(
    "AdminWorkspacePageDto",
    {
        "workspaces": "list[AdminWorkspaceDto]",
        "total": "int",
        "cursor": "str",
        "has_more": "bool",
    },
)

AgreementDto = TypedDict(
    "AgreementDto",
    {
        "krippendorffs_alpha": "Union[float, None]",
        "labellers": "list[str]",
        "pairs": "list[PairAgreementDto]",
    },
)

AlertConditionDto = TypedDict(
    "AlertConditionDto",
    {
        "kind": "NotRequired[Literal['match', 'spike', 'story']]",
        "measure": "NotRequired[Literal['count', 'mean_sentiment']]",
        "interval": "NotRequired[Literal['day', 'hour']]",
        "direction": "NotRequired[Literal['both', 'down', 'up']]",
    },
)

AlertDeliveryDto = TypedDict(
    "AlertDeliveryDto",
    {
        "every": "NotRequired[Literal['day', 'hour', 'match', 'week']]",
        "at": "NotRequired[str]",
        "weekday": "NotRequired[Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday']]",
        "timezone": "NotRequired[str]",
        "quiet": "NotRequired[Union[QuietHoursDto, None]]",
        "max_per_hour": "NotRequired[Union[int, None]]",
    },
)

AlertDto = TypedDict(
    "AlertDto",
    {
        "channel": "Literal['email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack']",
        "of": "NotRequired[Literal['all', 'comments', 'posts']]",
        "id": "str",
        "name": "str",
        "keywords": "list[str]",
        "forums": "list[str]",
        "channel_config": "dict[str, Any]",
        "is_active": "bool",
        "last_triggered_at": "Union[str, None]",
        "trigger_count": "int",
        "created_at": "str",
        "delivery": "NotRequired[Union[AlertDeliveryDto, None]]",
        "query": "NotRequired[Union[str, None]]",
        "listen": "NotRequired[list[str]]",
        "fold_duplicates": "NotRequired[bool]",
        "condition": "NotRequired[AlertConditionDto]",
        "min_relevance": "NotRequired[Union[float, None]]",
        "question": "NotRequired[Union[str, None]]",
        "warnings": "NotRequired[list[AlertWarningDto]]",
    },
)

AlertMatchDto = TypedDict(
    "AlertMatchDto",
    {
        "post_id": "str",
        "forum": "str",
        "title": "str",
        "author": "str",
        "created_utc": "str",
        "permalink": "str",
        "keywords": "list[str]",
        "job_id": "str",
        "matched_at": "str",
    },
)

AlertMatchPageDto = TypedDict(
    "AlertMatchPageDto",
    {
        "matches": "list[AlertMatchDto]",
        "total": "int",
        "has_more": "bool",
    },
)

AlertPreviewDto = TypedDict(
    "AlertPreviewDto",
    {
        "spikes": "NotRequired[list[SpikeDto]]",
        "stories": "NotRequired[list[StoryDto]]",
        "posts_scanned": "int",
        "total": "int",
        "matches": "list[PreviewMatchDto]",
        "comments_scanned": "int",
        "comments_total": "int",
        "comments": "list[PreviewCommentDto]",
    },
)

AlertRelevanceDto = TypedDict(
    "AlertRelevanceDto",
    {
        "min_relevance": "Union[float, None]",
        "precision": "Union[PrecisionDto, None]",
        "verdicts": "DecisionCountsDto",
        "ready": "bool",
        "hidden": "int",
    },
)

AlertSpikeDto = TypedDict(
    "AlertSpikeDto",
    {
        "expected": "float",
        "score": "float",
        "measure": "Literal['count', 'mean_sentiment']",
        "interval": "Literal['day', 'hour']",
        "direction": "Literal['both', 'down', 'up']",
        "mean_sentiment": "Union[float, None]",
        "start": "str",
        "end": "str",
        "count": "int",
        "top_keywords": "list[SpikeKeywordDto]",
        "top_posts": "list[SpikePostDto]",
    },
)

AlertTestEventDto = TypedDict(
    "AlertTestEventDto",
    {
        "type": "Literal['alert.test']",
        "data": "AlertTriggeredDataDto",
        "id": "str",
        "timestamp": "str",
        "workspace_id": "str",
    },
)

AlertTriggeredDataDto = TypedDict(
    "AlertTriggeredDataDto",
    {
        "channel": "Literal['email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack']",
        "spike": "NotRequired[Union[AlertSpikeDto, None]]",
        "story": "NotRequired[Union[StoryDto, None]]",
        "posts": "list[MatchedPostDto]",
        "comments": "list[MatchedCommentDto]",
        "matched_posts": "list[MatchedPostDto]",
        "matched_posts_total": "int",
        "matched_comments_total": "int",
        "id": "str",
        "name": "str",
        "keywords": "list[str]",
        "forums": "list[str]",
        "is_active": "bool",
        "last_triggered_at": "Union[str, None]",
        "trigger_count": "int",
        "created_at": "str",
    },
)

AlertTriggeredEventDto = TypedDict(
    "AlertTriggeredEventDto",
    {
        "type": "Literal['alert.triggered']",
        "data": "AlertTriggeredDataDto",
        "id": "str",
        "timestamp": "str",
        "workspace_id": "str",
    },
)

AlertWarningDto = TypedDict(
    "AlertWarningDto",
    {
        "code": "str",
        "message": "str",
    },
)

ApiKeyDto = TypedDict(
    "ApiKeyDto",
    {
        "id": "str",
        "name": "str",
        "key_prefix": "str",
        "scopes": "list[Literal['read', 'write', 'admin']]",
        "is_active": "bool",
        "last_used_at": "Union[str, None]",
        "created_at": "str",
        "expires_at": "NotRequired[Union[str, None]]",
    },
)

AuditChangeDto = TypedDict(
    "AuditChangeDto",
    {
        "field": "str",
        "before": "Union[str, None]",
        "after": "Union[str, None]",
    },
)

AuditPageDto = TypedDict(
    "AuditPageDto",
    {
        "entries": "list[ListedAuditEntryDto]",
        "cursor": "str",
        "has_more": "bool",
    },
)

BucketDto = TypedDict(
    "BucketDto",
    {
        "split": "NotRequired[dict[str, int]]",
        "start": "str",
        "count": "int",
        "mean_sentiment": "Union[float, None]",
    },
)

CallerWorkspaceDto = TypedDict(
    "CallerWorkspaceDto",
    {
        "workspace_id": "str",
        "name": "str",
        "status": "Literal['active', 'suspended']",
        "scopes": "list[Literal['read', 'write', 'admin']]",
        "key_prefix": "str",
    },
)

ChangeMatchesDto = TypedDict(
    "ChangeMatchesDto",
    {
        "ids": "NotRequired[list[str]]",
        "add_labels": "NotRequired[list[str]]",
        "remove_labels": "NotRequired[list[str]]",
        "filter": "NotRequired[MatchFilterDto]",
        "state": "NotRequired[Literal['dismissed', 'kept', 'new', 'seen']]",
    },
)

ChangedMatchesDto = TypedDict(
    "ChangedMatchesDto",
    {
        "changed": "int",
    },
)

CommentDto = TypedDict(
    "CommentDto",
    {
        "id": "int",
        "comment_id": "str",
        "post_id": "str",
        "post_permalink": "str",
        "parent_id": "str",
        "author": "str",
        "body": "str",
        "score": "int",
        "created_utc": "str",
        "depth": "int",
        "is_submitter": "bool",
        "sentiment_score": "float",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "scraped_at": "str",
    },
)

CommentExportFiltersDto = TypedDict(
    "CommentExportFiltersDto",
    {
        "forum": "NotRequired[Union[str, list[str]]]",
        "author": "NotRequired[Union[str, list[str]]]",
        "sentiment": "NotRequired[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], list[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]]]",
        "language": "NotRequired[Union[str, list[str]]]",
        "source": "NotRequired[Union[str, list[str]]]",
        "post_id": "NotRequired[str]",
        "q": "NotRequired[str]",
        "min_score": "NotRequired[int]",
        "max_score": "NotRequired[int]",
        "created_after": "NotRequired[str]",
        "created_before": "NotRequired[str]",
    },
)

CommentHighlightsDto = TypedDict(
    "CommentHighlightsDto",
    {
        "body": "NotRequired[str]",
    },
)

CommentListItemDto = TypedDict(
    "CommentListItemDto",
    {
        "post": "NotRequired[Union[CommentPostDto, None]]",
        "sentiment_source": "NotRequired[Literal['model', 'person']]",
        "highlights": "NotRequired[CommentHighlightsDto]",
        "id": "int",
        "comment_id": "str",
        "post_id": "str",
        "post_permalink": "str",
        "parent_id": "str",
        "author": "str",
        "body": "str",
        "score": "int",
        "created_utc": "str",
        "depth": "int",
        "is_submitter": "bool",
        "sentiment_score": "float",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "scraped_at": "str",
        "language": "NotRequired[str]",
        "source": "NotRequired[str]",
        "is_deleted": "NotRequired[bool]",
    },
)

CommentPageDto = TypedDict(
    "CommentPageDto",
    {
        "comments": "list[CommentListItemDto]",
        "total": "int",
        "has_more": "bool",
        "cursor": "NotRequired[str]",
        "suggestions": "NotRequired[list[str]]",
    },
)

CommentPostDto = TypedDict(
    "CommentPostDto",
    {
        "title": "str",
        "forum": "str",
    },
)

CommentViewDto = TypedDict(
    "CommentViewDto",
    {
        "post": "NotRequired[Union[CommentPostDto, None]]",
        "sentiment_source": "NotRequired[Literal['model', 'person']]",
        "id": "int",
        "comment_id": "str",
        "post_id": "str",
        "post_permalink": "str",
        "parent_id": "str",
        "author": "str",
        "body": "str",
        "score": "int",
        "created_utc": "str",
        "depth": "int",
        "is_submitter": "bool",
        "sentiment_score": "float",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "scraped_at": "str",
        "language": "NotRequired[str]",
        "source": "NotRequired[str]",
        "is_deleted": "NotRequired[bool]",
    },
)

CommentWithPostDto = TypedDict(
    "CommentWithPostDto",
    {
        "post": "NotRequired[Union[CommentPostDto, None]]",
        "id": "int",
        "comment_id": "str",
        "post_id": "str",
        "post_permalink": "str",
        "parent_id": "str",
        "author": "str",
        "body": "str",
        "score": "int",
        "created_utc": "str",
        "depth": "int",
        "is_submitter": "bool",
        "sentiment_score": "float",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "scraped_at": "str",
    },
)

CorrectSentimentDto = TypedDict(
    "CorrectSentimentDto",
    {
        "label": "Literal['negative', 'neutral', None, 'positive']",
    },
)

CreateAdminSessionDto = TypedDict(
    "CreateAdminSessionDto",
    {
        "admin_token": "str",
    },
)

CreateAlertDto = TypedDict(
    "CreateAlertDto",
    {
        "keywords": "NotRequired[list[str]]",
        "query": "NotRequired[Union[str, None]]",
        "forums": "NotRequired[list[str]]",
        "min_relevance": "NotRequired[Union[float, None]]",
        "question": "NotRequired[Union[str, None]]",
        "listen": "NotRequired[list[str]]",
        "channel": "NotRequired[Literal['email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack']]",
        "channel_config": "NotRequired[dict[str, Any]]",
        "name": "str",
        "delivery": "NotRequired[Union[AlertDeliveryDto, None]]",
        "of": "NotRequired[Literal['all', 'comments', 'posts']]",
        "fold_duplicates": "NotRequired[bool]",
        "condition": "NotRequired[Union[AlertConditionDto, None]]",
    },
)

CreateApiKeyDto = TypedDict(
    "CreateApiKeyDto",
    {
        "name": "str",
        "scopes": "NotRequired[list[Literal['read', 'write', 'admin']]]",
        "expires_at": "NotRequired[str]",
    },
)

CreateDatasetDto = TypedDict(
    "CreateDatasetDto",
    {
        "filters": "NotRequired[Union[PostExportFiltersDto, CommentExportFiltersDto]]",
        "name": "str",
        "of": "Literal['posts', 'comments']",
        "q": "NotRequired[str]",
    },
)

CreateErasureDto = TypedDict(
    "CreateErasureDto",
    {
        "source": "NotRequired[str]",
        "author": "NotRequired[str]",
        "post_id": "NotRequired[str]",
        "comment_id": "NotRequired[str]",
        "reason": "NotRequired[str]",
        "suppress": "NotRequired[bool]",
    },
)

CreateExportDto = TypedDict(
    "CreateExportDto",
    {
        "format": "Literal['csv', 'json', 'ndjson', 'parquet']",
        "filters": "NotRequired[Union[ExportedPostFiltersDto, ExportedCommentFiltersDto]]",
        "name": "NotRequired[str]",
        "of": "Literal['posts', 'comments']",
        "columns": "NotRequired[list[str]]",
        "compression": "NotRequired[Literal['gzip', 'zstd']]",
        "bom": "NotRequired[bool]",
        "pseudonymize": "NotRequired[bool]",
        "destination": "NotRequired[ExportDestinationDto]",
        "incremental_from": "NotRequired[str]",
    },
)

CreateJobDto = TypedDict(
    "CreateJobDto",
    {
        "target": "str",
        "target_type": "NotRequired[Literal['forum', 'user']]",
        "mode": "NotRequired[Literal['full', 'history', 'monitor']]",
        "limit": "NotRequired[int]",
        "download_media": "NotRequired[bool]",
        "scrape_comments": "NotRequired[bool]",
        "plugins": "NotRequired[list[str]]",
    },
)

CreateLabelsDto = TypedDict(
    "CreateLabelsDto",
    {
        "labeller": "str",
        "csv": "str",
    },
)

CreateMemberDto = TypedDict(
    "CreateMemberDto",
    {
        "email": "str",
        "role": "Literal['editor', 'owner', 'reader']",
    },
)

CreatePinnedTrendDto = TypedDict(
    "CreatePinnedTrendDto",
    {
        "queries": "list[str]",
        "of": "Literal['posts', 'comments']",
        "period": "Literal['1', '30', '365', '7', '90', 'all']",
        "interval": "Literal['hour', 'day', 'week', 'month']",
        "split_by": "NotRequired[Literal['forum', 'language', 'of', 'post_type', 'sentiment', 'source']]",
        "measure": "Literal['count', 'sentiment', 'share']",
    },
)

CreateRecurringExportDto = TypedDict(
    "CreateRecurringExportDto",
    {
        "format": "Literal['csv', 'json', 'ndjson', 'parquet']",
        "filters": "NotRequired[Union[ExportedPostFiltersDto, ExportedCommentFiltersDto]]",
        "of": "Literal['posts', 'comments']",
        "columns": "NotRequired[list[str]]",
        "compression": "NotRequired[Literal['gzip', 'zstd']]",
        "bom": "NotRequired[bool]",
        "pseudonymize": "NotRequired[bool]",
        "destination": "NotRequired[ExportDestinationDto]",
        "name": "str",
        "only_changes": "NotRequired[bool]",
        "every": "NotRequired[Literal['day', 'month', 'week']]",
        "at": "NotRequired[str]",
        "weekday": "NotRequired[Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday']]",
        "timezone": "NotRequired[str]",
    },
)

CreateReportDto = TypedDict(
    "CreateReportDto",
    {
        "channel": "NotRequired[Literal['email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack']]",
        "channel_config": "NotRequired[dict[str, Any]]",
        "name": "str",
        "alerts": "NotRequired[list[str]]",
        "searches": "NotRequired[list[str]]",
        "every": "NotRequired[Literal['day', 'month', 'week']]",
        "at": "NotRequired[str]",
        "weekday": "NotRequired[Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday']]",
        "timezone": "NotRequired[str]",
    },
)

CreateScheduleDto = TypedDict(
    "CreateScheduleDto",
    {
        "target": "str",
        "target_type": "NotRequired[Literal['forum', 'user']]",
        "mode": "NotRequired[Literal['full', 'history', 'monitor']]",
        "cron_expression": "str",
        "config": "NotRequired[ScheduleConfigDto]",
    },
)

CreateSearchDto = TypedDict(
    "CreateSearchDto",
    {
        "filters": "NotRequired[Union[PostExportFiltersDto, CommentExportFiltersDto]]",
        "listen": "NotRequired[list[str]]",
        "q": "NotRequired[str]",
        "sort_by": "NotRequired[str]",
        "sort_order": "NotRequired[Literal['asc', 'desc']]",
        "name": "str",
        "of": "NotRequired[Literal['posts', 'comments']]",
    },
)

CreateSessionDto = TypedDict(
    "CreateSessionDto",
    {
        "api_key": "str",
    },
)

CreateWebhookDto = TypedDict(
    "CreateWebhookDto",
    {
        "url": "str",
        "events": "NotRequired[list[Literal['alert.triggered', 'export.completed', 'job.completed', 'job.failed']]]",
        "secret": "NotRequired[str]",
        "format": "NotRequired[Literal['cloudevents', 'standard']]",
    },
)

CreateWorkspaceDto = TypedDict(
    "CreateWorkspaceDto",
    {
        "name": "str",
    },
)

CreatedApiKeyDto = TypedDict(
    "CreatedApiKeyDto",
    {
        "id": "str",
        "name": "str",
        "key_prefix": "str",
        "scopes": "list[Literal['read', 'write', 'admin']]",
        "is_active": "bool",
        "last_used_at": "Union[str, None]",
        "created_at": "str",
        "expires_at": "NotRequired[Union[str, None]]",
        "key": "str",
    },
)

CreatedLabelsDto = TypedDict(
    "CreatedLabelsDto",
    {
        "workspace_id": "str",
        "labeller": "str",
        "saved": "int",
    },
)

CreatedWorkspaceDto = TypedDict(
    "CreatedWorkspaceDto",
    {
        "id": "str",
        "name": "str",
        "status": "Literal['active', 'deleting', 'suspended']",
        "created_at": "str",
        "last_activity_at": "Union[str, None]",
        "usage": "WorkspaceUsageDto",
        "quotas": "QuotasOfWorkspaceDto",
        "quota_defaults": "QuotasOfWorkspaceDto",
        "retention_days": "RetentionOfWorkspaceDto",
        "deletion": "Union[WorkspaceDeletionDto, None]",
        "workspace_id": "str",
        "api_key": "str",
    },
)

DatabaseHealthDto = TypedDict(
    "DatabaseHealthDto",
    {
        "pools": "list[PoolOverviewDto]",
        "status": "Literal['ok', 'unavailable']",
        "latency_ms": "Union[float, None]",
    },
)

DatasetDto = TypedDict(
    "DatasetDto",
    {
        "filters": "Union[PostExportFiltersDto, CommentExportFiltersDto]",
        "status": "Literal['completed', 'failed', 'pending', 'running']",
        "id": "str",
        "workspace_id": "str",
        "name": "str",
        "of": "Literal['posts', 'comments']",
        "q": "Union[str, None]",
        "rows": "int",
        "bytes": "int",
        "erased_rows": "int",
        "erased_at": "Union[str, None]",
        "parts": "list[DatasetPartDto]",
        "manifest": "Union[DatasetManifestDto, None]",
        "error_message": "Union[str, None]",
        "created_at": "str",
        "completed_at": "Union[str, None]",
    },
)

DatasetFileDto = TypedDict(
    "DatasetFileDto",
    {
        "name": "str",
        "rows": "int",
        "bytes": "int",
        "sha256": "str",
    },
)

DatasetManifestDto = TypedDict(
    "DatasetManifestDto",
    {
        "query": "DatasetQueryDto",
        "frozen_at": "str",
        "frozen_rows": "int",
        "erased_rows": "int",
        "columns": "list[str]",
        "sources": "list[DatasetSourceDto]",
        "models": "ModelVersionsDto",
        "files": "list[DatasetFileDto]",
    },
)

DatasetPageDto = TypedDict(
    "DatasetPageDto",
    {
        "datasets": "list[DatasetDto]",
        "total": "int",
        "has_more": "bool",
    },
)

DatasetPartDto = TypedDict(
    "DatasetPartDto",
    {
        "path": "str",
        "rows": "int",
        "bytes": "int",
        "sha256": "str",
    },
)

DatasetQueryDto = TypedDict(
    "DatasetQueryDto",
    {
        "of": "Literal['posts', 'comments']",
        "q": "Union[str, None]",
        "filters": "dict[str, Any]",
    },
)

DatasetSourceDto = TypedDict(
    "DatasetSourceDto",
    {
        "source": "str",
        "rows": "int",
        "licence": "str",
    },
)

DecisionCountsDto = TypedDict(
    "DecisionCountsDto",
    {
        "kept": "int",
        "dismissed": "int",
    },
)

DeliveryAttemptDto = TypedDict(
    "DeliveryAttemptDto",
    {
        "attempt": "int",
        "attempted_at": "str",
        "succeeded": "bool",
        "response_code": "Union[int, None]",
        "duration_ms": "int",
        "error": "Union[str, None]",
    },
)

DeliveryDto = TypedDict(
    "DeliveryDto",
    {
        "id": "str",
        "event_id": "str",
        "event_type": "Literal['alert.digest', 'alert.test', 'alert.triggered', 'export.completed', 'job.completed', 'job.failed', 'report.ready', 'webhook.test']",
        "status": "Literal['delivered', 'failed', 'pending', 'undeliverable']",
        "attempts": "int",
        "response_code": "Union[int, None]",
        "duration_ms": "Union[int, None]",
        "error": "Union[str, None]",
        "next_attempt_at": "Union[str, None]",
        "created_at": "str",
        "completed_at": "Union[str, None]",
    },
)

DeliveryHistoryDto = TypedDict(
    "DeliveryHistoryDto",
    {
        "payload": "dict[str, Any]",
        "history": "list[DeliveryAttemptDto]",
        "id": "str",
        "event_id": "str",
        "event_type": "Literal['alert.digest', 'alert.test', 'alert.triggered', 'export.completed', 'job.completed', 'job.failed', 'report.ready', 'webhook.test']",
        "status": "Literal['delivered', 'failed', 'pending', 'undeliverable']",
        "attempts": "int",
        "response_code": "Union[int, None]",
        "duration_ms": "Union[int, None]",
        "error": "Union[str, None]",
        "next_attempt_at": "Union[str, None]",
        "created_at": "str",
        "completed_at": "Union[str, None]",
    },
)

DeliveryPageDto = TypedDict(
    "DeliveryPageDto",
    {
        "deliveries": "list[DeliveryDto]",
        "total": "int",
        "has_more": "bool",
    },
)

DraftAlertDto = TypedDict(
    "DraftAlertDto",
    {
        "keywords": "NotRequired[list[str]]",
        "query": "NotRequired[Union[str, None]]",
        "forums": "NotRequired[list[str]]",
        "of": "NotRequired[Literal['all', 'comments', 'posts']]",
        "fold_duplicates": "NotRequired[bool]",
        "condition": "NotRequired[Union[AlertConditionDto, None]]",
    },
)

DraftReportDto = TypedDict(
    "DraftReportDto",
    {
        "channel": "NotRequired[Literal['email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack']]",
        "name": "NotRequired[str]",
        "channel_config": "NotRequired[dict[str, Any]]",
        "alerts": "NotRequired[list[str]]",
        "searches": "NotRequired[list[str]]",
        "every": "NotRequired[Literal['day', 'month', 'week']]",
        "at": "NotRequired[str]",
        "weekday": "NotRequired[Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday']]",
        "timezone": "NotRequired[str]",
    },
)

EndedJobsDto = TypedDict(
    "EndedJobsDto",
    {
        "hour": "str",
        "completed": "int",
        "failed": "int",
        "cancelled": "int",
        "posts": "int",
        "comments": "int",
    },
)

ErasureDto = TypedDict(
    "ErasureDto",
    {
        "kind": "Literal['author', 'comment', 'post']",
        "status": "Literal['completed', 'pending', 'running']",
        "id": "str",
        "source": "Union[str, None]",
        "reason": "str",
        "suppress": "bool",
        "suppression_id": "Union[str, None]",
        "removed": "RemovedDto",
        "created_at": "str",
        "completed_at": "Union[str, None]",
    },
)

ErasurePageDto = TypedDict(
    "ErasurePageDto",
    {
        "erasures": "list[ErasureDto]",
        "total": "int",
        "has_more": "bool",
    },
)

ExecutionOverviewDto = TypedDict(
    "ExecutionOverviewDto",
    {
        "job_id": "str",
        "workspace_id": "str",
        "target": "Union[str, None]",
        "mode": "Literal['full', 'history', 'monitor', None]",
        "started_at": "Union[str, None]",
        "worker": "Union[str, None]",
        "attempts": "int",
        "lease_age_seconds": "float",
        "lease_expired": "bool",
    },
)

ExplainedQueryDto = TypedDict(
    "ExplainedQueryDto",
    {
        "query": "str",
        "tree": "Union[dict[str, Any], None]",
        "notices": "list[QueryNoticeDto]",
    },
)

ExportCompletedEventDto = TypedDict(
    "ExportCompletedEventDto",
    {
        "type": "Literal['export.completed']",
        "data": "ExportDto",
        "id": "str",
        "timestamp": "str",
        "workspace_id": "str",
    },
)

ExportDestinationDto = TypedDict(
    "ExportDestinationDto",
    {
        "url": "str",
        "secret": "str",
    },
)

ExportDto = TypedDict(
    "ExportDto",
    {
        "format": "Literal['csv', 'json', 'ndjson', 'parquet']",
        "filters": "Union[ExportedPostFiltersDto, ExportedCommentFiltersDto]",
        "id": "str",
        "workspace_id": "str",
        "name": "Union[str, None]",
        "of": "Literal['posts', 'comments']",
        "compression": "Literal['gzip', None, 'zstd']",
        "columns": "Union[list[str], None]",
        "incremental_from": "Union[str, None]",
        "recurring_id": "Union[str, None]",
        "destination": "Union[ShownDestinationDto, None]",
        "bom": "bool",
        "pseudonymize": "bool",
        "status": "Literal['pending', 'running', 'completed', 'cancelled', 'failed']",
        "rows": "int",
        "bytes": "int",
        "parts": "list[ExportPartDto]",
        "error_message": "Union[str, None]",
        "created_at": "str",
        "started_at": "Union[str, None]",
        "completed_at": "Union[str, None]",
        "expires_at": "Union[str, None]",
    },
)

ExportPageDto = TypedDict(
    "ExportPageDto",
    {
        "exports": "list[ExportDto]",
        "total": "int",
        "has_more": "bool",
    },
)

ExportPartDto = TypedDict(
    "ExportPartDto",
    {
        "path": "str",
        "rows": "int",
        "bytes": "int",
        "sha256": "str",
    },
)

ExportedCommentDto = TypedDict(
    "ExportedCommentDto",
    {
        "id": "int",
        "comment_id": "str",
        "post_id": "str",
        "post_permalink": "str",
        "parent_id": "str",
        "author": "str",
        "body": "str",
        "score": "int",
        "created_utc": "str",
        "depth": "int",
        "is_submitter": "bool",
        "sentiment_score": "float",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "scraped_at": "str",
        "language": "str",
        "model_label": "Literal['positive', 'negative', 'neutral']",
        "sentiment_source": "Literal['model', 'person']",
    },
)

ExportedCommentFiltersDto = TypedDict(
    "ExportedCommentFiltersDto",
    {
        "forum": "NotRequired[Union[str, list[str]]]",
        "author": "NotRequired[Union[str, list[str]]]",
        "sentiment": "NotRequired[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], list[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]]]",
        "language": "NotRequired[Union[str, list[str]]]",
        "source": "NotRequired[Union[str, list[str]]]",
        "state": "NotRequired[Literal['dismissed', 'kept', 'new', 'seen']]",
        "label": "NotRequired[str]",
        "q": "NotRequired[str]",
        "min_score": "NotRequired[int]",
        "max_score": "NotRequired[int]",
        "created_after": "NotRequired[str]",
        "created_before": "NotRequired[str]",
        "post_id": "NotRequired[str]",
    },
)

ExportedPostDto = TypedDict(
    "ExportedPostDto",
    {
        "id": "str",
        "workspace_id": "str",
        "forum": "str",
        "title": "str",
        "author": "str",
        "created_utc": "str",
        "permalink": "str",
        "url": "Union[str, None]",
        "score": "int",
        "upvote_ratio": "float",
        "num_comments": "int",
        "selftext": "str",
        "post_type": "Literal['link', 'self', 'image', 'video']",
        "is_nsfw": "bool",
        "is_spoiler": "bool",
        "flair": "str",
        "total_awards": "int",
        "has_media": "bool",
        "media_urls": "list[str]",
        "sentiment_score": "float",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "keywords": "list[str]",
        "scraped_at": "str",
        "language": "str",
        "model_label": "Literal['positive', 'negative', 'neutral']",
        "sentiment_source": "Literal['model', 'person']",
    },
)

ExportedPostFiltersDto = TypedDict(
    "ExportedPostFiltersDto",
    {
        "forum": "NotRequired[Union[str, list[str]]]",
        "author": "NotRequired[Union[str, list[str]]]",
        "sentiment": "NotRequired[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], list[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]]]",
        "language": "NotRequired[Union[str, list[str]]]",
        "source": "NotRequired[Union[str, list[str]]]",
        "post_type": "NotRequired[Union[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video'], list[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video']]]]",
        "flair": "NotRequired[Union[str, list[str]]]",
        "keyword": "NotRequired[Union[str, list[str]]]",
        "q": "NotRequired[str]",
        "min_score": "NotRequired[int]",
        "max_score": "NotRequired[int]",
        "created_after": "NotRequired[str]",
        "created_before": "NotRequired[str]",
        "is_nsfw": "NotRequired[bool]",
        "has_media": "NotRequired[bool]",
        "min_comments": "NotRequired[int]",
        "state": "NotRequired[Literal['dismissed', 'kept', 'new', 'seen']]",
        "label": "NotRequired[str]",
    },
)

FacetValueDto = TypedDict(
    "FacetValueDto",
    {
        "value": "str",
        "count": "int",
    },
)

FacetsDto = TypedDict(
    "FacetsDto",
    {
        "facets": "dict[str, list[FacetValueDto]]",
        "total": "int",
    },
)

FailedJobDto = TypedDict(
    "FailedJobDto",
    {
        "job_id": "str",
        "workspace_id": "str",
        "target": "str",
        "mode": "Literal['full', 'history', 'monitor']",
        "failed_at": "str",
        "error_code": "Union[str, None]",
        "error_message": "Union[str, None]",
    },
)

FeedDto = TypedDict(
    "FeedDto",
    {
        "atom_url": "str",
        "json_url": "str",
        "rss_url": "str",
    },
)

FieldErrorDto = TypedDict(
    "FieldErrorDto",
    {
        "field": "str",
        "message": "str",
    },
)

ForumCountDto = TypedDict(
    "ForumCountDto",
    {
        "forum": "str",
        "post_count": "int",
    },
)

HealthDto = TypedDict(
    "HealthDto",
    {
        "status": "str",
        "version": "str",
        "problem": "NotRequired[str]",
    },
)

IdPrefixesDto = TypedDict(
    "IdPrefixesDto",
    {
        "post": "str",
        "comment": "str",
    },
)

JobCompletedEventDto = TypedDict(
    "JobCompletedEventDto",
    {
        "type": "Literal['job.completed']",
        "data": "JobDto",
        "id": "str",
        "timestamp": "str",
        "workspace_id": "str",
    },
)

JobDto = TypedDict(
    "JobDto",
    {
        "schedule_id": "NotRequired[Union[str, None]]",
        "id": "str",
        "workspace_id": "str",
        "target": "str",
        "target_type": "Literal['forum', 'user']",
        "mode": "Literal['full', 'history', 'monitor']",
        "config": "dict[str, Any]",
        "status": "Literal['pending', 'running', 'completed', 'cancelled', 'failed']",
        "started_at": "Union[str, None]",
        "completed_at": "Union[str, None]",
        "duration_seconds": "Union[float, None]",
        "posts_scraped": "int",
        "comments_scraped": "int",
        "media_downloaded": "int",
        "error_message": "Union[str, None]",
        "progress": "JobProgressDto",
        "created_at": "str",
        "limit": "NotRequired[int]",
        "download_media": "NotRequired[bool]",
        "scrape_comments": "NotRequired[bool]",
        "plugins": "NotRequired[list[str]]",
    },
)

JobFailedEventDto = TypedDict(
    "JobFailedEventDto",
    {
        "type": "Literal['job.failed']",
        "data": "JobDto",
        "id": "str",
        "timestamp": "str",
        "workspace_id": "str",
    },
)

JobListItemDto = TypedDict(
    "JobListItemDto",
    {
        "id": "str",
        "target": "str",
        "target_type": "Literal['forum', 'user']",
        "status": "Literal['pending', 'running', 'completed', 'cancelled', 'failed']",
        "posts_scraped": "int",
        "comments_scraped": "int",
        "created_at": "str",
    },
)

JobLogDto = TypedDict(
    "JobLogDto",
    {
        "entries": "list[JobLogEntryDto]",
        "left_out": "int",
    },
)

JobLogEntryDto = TypedDict(
    "JobLogEntryDto",
    {
        "level": "Literal['info', 'warn']",
        "details": "dict[str, Any]",
        "at": "str",
        "event": "str",
        "message": "str",
    },
)

JobPageDto = TypedDict(
    "JobPageDto",
    {
        "jobs": "list[Union[JobListItemDto, JobDto]]",
        "total": "int",
        "has_more": "bool",
    },
)

JobProgressDto = TypedDict(
    "JobProgressDto",
    {
        "media_until": "NotRequired[str]",
        "phase": "NotRequired[Literal['comments', 'finishing', 'listing', 'media']]",
        "seconds_left": "NotRequired[Union[int, None]]",
        "limit": "NotRequired[int]",
        "threads": "NotRequired[JobShareDto]",
        "files": "NotRequired[JobShareDto]",
        "posts_updated": "NotRequired[int]",
        "error_code": "NotRequired[str]",
        "remedy": "NotRequired[str]",
        "posts": "NotRequired[int]",
        "comments": "NotRequired[int]",
        "media": "NotRequired[int]",
        "requests": "NotRequired[int]",
        "posts_missing": "NotRequired[int]",
        "gap": "NotRequired[int]",
        "comments_missing": "NotRequired[int]",
        "media_failed": "NotRequired[int]",
        "media_failed_reason": "NotRequired[str]",
        "plugin_errors": "NotRequired[list[PluginErrorDto]]",
        "posts_new": "NotRequired[int]",
        "stop_reason": "NotRequired[Literal['limit', 'end_of_listing', 'listing_cap', 'up_to_date']]",
        "source": "NotRequired[str]",
        "waiting_for": "NotRequired[WaitingForDto]",
        "comments_pending": "NotRequired[int]",
        "media_pending": "NotRequired[int]",
    },
)

JobShareDto = TypedDict(
    "JobShareDto",
    {
        "done": "int",
        "total": "int",
    },
)

KeywordCountDto = TypedDict(
    "KeywordCountDto",
    {
        "keyword": "str",
        "count": "int",
        "previous_count": "Union[int, None]",
        "change": "Union[int, None]",
    },
)

KeywordCountsDto = TypedDict(
    "KeywordCountsDto",
    {
        "keywords": "list[KeywordCountDto]",
    },
)

LabellerDto = TypedDict(
    "LabellerDto",
    {
        "labeller": "str",
        "records": "int",
        "labels": "list[str]",
        "labelled_at": "str",
    },
)

LabellersDto = TypedDict(
    "LabellersDto",
    {
        "labellers": "list[LabellerDto]",
    },
)

LastRunDto = TypedDict(
    "LastRunDto",
    {
        "status": "Literal['pending', 'running', 'completed', 'cancelled', 'failed']",
        "export_id": "str",
        "error_message": "Union[str, None]",
        "completed_at": "str",
    },
)

ListedAuditEntryDto = TypedDict(
    "ListedAuditEntryDto",
    {
        "key_name": "Union[str, None]",
        "record_name": "Union[str, None]",
        "changes": "list[AuditChangeDto]",
        "id": "str",
        "created_at": "str",
        "actor": "Literal['admin', 'anonymous', 'api_key', 'command_line']",
        "actor_name": "Union[str, None]",
        "ip": "Union[str, None]",
        "action": "str",
        "workspace_id": "Union[str, None]",
        "resource": "dict[str, str]",
        "fields": "list[str]",
        "status": "Union[int, None]",
        "request_id": "Union[str, None]",
        "sequence": "Union[int, None]",
        "hash": "Union[str, None]",
    },
)

ListedSessionDto = TypedDict(
    "ListedSessionDto",
    {
        "id": "str",
        "key_id": "str",
        "key_prefix": "str",
        "address": "Union[str, None]",
        "user_agent": "Union[str, None]",
        "created_at": "str",
        "last_used_at": "str",
        "expires_at": "str",
        "is_current": "bool",
    },
)

ListenedSourceDto = TypedDict(
    "ListenedSourceDto",
    {
        "state": "Literal['behind', 'live', 'refused', 'resting']",
        "since": "Union[str, None]",
        "behind_seconds": "Union[int, None]",
        "source": "str",
        "read": "int",
        "matched": "int",
        "gaps": "list[ListeningGapDto]",
    },
)

ListeningDto = TypedDict(
    "ListeningDto",
    {
        "sources": "list[ListenedSourceDto]",
    },
)

ListeningGapDto = TypedDict(
    "ListeningGapDto",
    {
        "from": "str",
        "to": "str",
        "reason": "str",
    },
)

MatchCountsDto = TypedDict(
    "MatchCountsDto",
    {
        "new": "int",
        "seen": "int",
        "kept": "int",
        "dismissed": "int",
    },
)

MatchDto = TypedDict(
    "MatchDto",
    {
        "state": "Literal['dismissed', 'kept', 'new', 'seen']",
        "relevance": "Union[float, None]",
        "reasons": "Union[list[MatchReasonDto], None]",
        "second_reading": "NotRequired[SecondReadingDto]",
        "post": "NotRequired[Union[PostDto, None]]",
        "comment": "NotRequired[Union[CommentWithPostDto, None]]",
        "speaker": "NotRequired[Union[SpeakerDto, None]]",
        "id": "str",
        "alert_id": "str",
        "matched_at": "str",
        "labels": "list[str]",
        "note": "str",
        "duplicates": "int",
        "keywords": "list[str]",
    },
)

MatchFilterDto = TypedDict(
    "MatchFilterDto",
    {
        "alert_id": "NotRequired[str]",
        "state": "NotRequired[Literal['dismissed', 'kept', 'new', 'seen']]",
        "label": "NotRequired[str]",
        "of": "NotRequired[Literal['all', 'comments', 'posts']]",
    },
)

MatchPageDto = TypedDict(
    "MatchPageDto",
    {
        "matches": "list[MatchDto]",
        "total": "int",
        "counts": "MatchCountsDto",
        "cursor": "str",
        "has_more": "bool",
    },
)

MatchReasonDto = TypedDict(
    "MatchReasonDto",
    {
        "feature": "str",
        "weight": "float",
    },
)

MatchedCommentDto = TypedDict(
    "MatchedCommentDto",
    {
        "sentiment_label": "NotRequired[Literal['positive', 'negative', 'neutral']]",
        "comment_id": "str",
        "post_id": "str",
        "post_permalink": "str",
        "forum": "str",
        "author": "str",
        "created_utc": "str",
        "score": "int",
        "body": "str",
        "matched_keywords": "list[str]",
        "duplicates": "NotRequired[int]",
        "highlights": "NotRequired[CommentHighlightsDto]",
        "is_duplicate": "NotRequired[bool]",
    },
)

MatchedPostDto = TypedDict(
    "MatchedPostDto",
    {
        "url": "Union[str, None]",
        "sentiment_label": "NotRequired[Literal['positive', 'negative', 'neutral']]",
        "id": "str",
        "forum": "str",
        "title": "str",
        "author": "str",
        "created_utc": "str",
        "permalink": "str",
        "score": "int",
        "num_comments": "int",
        "selftext": "str",
        "matched_keywords": "list[str]",
        "duplicates": "NotRequired[int]",
        "highlights": "NotRequired[PostHighlightsDto]",
        "is_duplicate": "NotRequired[bool]",
    },
)

MediaFileDto = TypedDict(
    "MediaFileDto",
    {
        "id": "str",
        "url": "str",
        "content_type": "str",
        "size": "int",
        "sha256": "str",
        "path": "str",
        "downloaded_at": "str",
    },
)

MemberDto = TypedDict(
    "MemberDto",
    {
        "id": "str",
        "email": "str",
        "role": "Literal['editor', 'owner', 'reader']",
        "last_seen_at": "Union[str, None]",
    },
)

MembershipDto = TypedDict(
    "MembershipDto",
    {
        "workspace_id": "str",
        "workspace_name": "str",
        "role": "Literal['editor', 'owner', 'reader']",
        "is_current": "bool",
    },
)

MessageDto = TypedDict(
    "MessageDto",
    {
        "message": "str",
    },
)

MissedRowsDto = TypedDict(
    "MissedRowsDto",
    {
        "estimate": "int",
        "low": "int",
        "high": "int",
    },
)

ModelVersionsDto = TypedDict(
    "ModelVersionsDto",
    {
        "service": "str",
        "language": "str",
        "sentiment": "str",
        "keywords": "str",
    },
)

MoveSessionDto = TypedDict(
    "MoveSessionDto",
    {
        "workspace_id": "str",
    },
)

NextRunsDto = TypedDict(
    "NextRunsDto",
    {
        "schedule_id": "str",
        "next_runs": "list[str]",
    },
)

NotReadDto = TypedDict(
    "NotReadDto",
    {
        "source": "str",
        "reason": "str",
    },
)

NotificationSettingsDto = TypedDict(
    "NotificationSettingsDto",
    {
        "email": "str",
        "pending_email": "Union[str, None]",
        "alert_ids": "list[str]",
    },
)

OpenCircuitDto = TypedDict(
    "OpenCircuitDto",
    {
        "id": "str",
        "name": "Union[str, None]",
        "workspace_id": "str",
        "kind": "Literal['alert', 'member', 'report', 'webhook']",
        "failures": "int",
        "next_attempt_at": "Union[str, None]",
    },
)

OutboxOverviewDto = TypedDict(
    "OutboxOverviewDto",
    {
        "pending": "int",
        "lag_seconds": "float",
        "set_aside": "int",
    },
)

OverviewDto = TypedDict(
    "OverviewDto",
    {
        "queues": "Union[list[QueueOverviewDto], None]",
        "request_budget": "Union[list[RequestBudgetDto], None]",
        "executions": "Union[list[ExecutionOverviewDto], None]",
        "failed_jobs": "Union[list[FailedJobDto], None]",
        "ended_jobs": "Union[list[EndedJobsDto], None]",
        "workers": "Union[list[WorkerOverviewDto], None]",
        "outbox": "Union[OutboxOverviewDto, None]",
        "destinations": "Union[list[OpenCircuitDto], None]",
        "destinations_circuit_open": "Union[int, None]",
        "database": "DatabaseHealthDto",
        "redis": "ServerHealthDto",
        "versions": "VersionsDto",
    },
)

PairAgreementDto = TypedDict(
    "PairAgreementDto",
    {
        "observed": "Union[float, None]",
        "cohens_kappa": "Union[float, None]",
        "labellers": "list[str]",
        "records": "int",
    },
)

PinnedTrendDto = TypedDict(
    "PinnedTrendDto",
    {
        "of": "Literal['posts', 'comments']",
        "period": "Literal['1', '30', '365', '7', '90', 'all']",
        "interval": "Literal['hour', 'day', 'week', 'month']",
        "split_by": "NotRequired[Literal['forum', 'language', 'of', 'post_type', 'sentiment', 'source']]",
        "measure": "Literal['count', 'sentiment', 'share']",
        "id": "str",
        "created_at": "str",
        "link_expires_at": "Union[str, None]",
        "queries": "list[str]",
    },
)

PluginDto = TypedDict(
    "PluginDto",
    {
        "name": "str",
        "description": "str",
    },
)

PluginErrorDto = TypedDict(
    "PluginErrorDto",
    {
        "plugin": "str",
        "count": "int",
        "message": "str",
    },
)

PoolOverviewDto = TypedDict(
    "PoolOverviewDto",
    {
        "pool": "str",
        "in_use": "int",
        "waiting": "int",
    },
)

PostDto = TypedDict(
    "PostDto",
    {
        "id": "str",
        "workspace_id": "str",
        "forum": "str",
        "title": "str",
        "author": "str",
        "created_utc": "str",
        "permalink": "str",
        "url": "Union[str, None]",
        "score": "int",
        "upvote_ratio": "float",
        "num_comments": "int",
        "selftext": "str",
        "post_type": "Literal['link', 'self', 'image', 'video']",
        "is_nsfw": "bool",
        "is_spoiler": "bool",
        "flair": "str",
        "total_awards": "int",
        "has_media": "bool",
        "media_urls": "list[str]",
        "sentiment_score": "float",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "keywords": "list[str]",
        "scraped_at": "str",
    },
)

PostExportFiltersDto = TypedDict(
    "PostExportFiltersDto",
    {
        "forum": "NotRequired[Union[str, list[str]]]",
        "author": "NotRequired[Union[str, list[str]]]",
        "sentiment": "NotRequired[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], list[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]]]",
        "language": "NotRequired[Union[str, list[str]]]",
        "source": "NotRequired[Union[str, list[str]]]",
        "post_type": "NotRequired[Union[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video'], list[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video']]]]",
        "flair": "NotRequired[Union[str, list[str]]]",
        "keyword": "NotRequired[Union[str, list[str]]]",
        "q": "NotRequired[str]",
        "min_score": "NotRequired[int]",
        "max_score": "NotRequired[int]",
        "created_after": "NotRequired[str]",
        "created_before": "NotRequired[str]",
        "is_nsfw": "NotRequired[bool]",
        "has_media": "NotRequired[bool]",
        "min_comments": "NotRequired[int]",
    },
)

PostHighlightsDto = TypedDict(
    "PostHighlightsDto",
    {
        "title": "NotRequired[str]",
        "selftext": "NotRequired[str]",
    },
)

PostHistoryDto = TypedDict(
    "PostHistoryDto",
    {
        "history": "list[PostScoreDto]",
    },
)

PostListItemDto = TypedDict(
    "PostListItemDto",
    {
        "id": "str",
        "forum": "str",
        "title": "str",
        "author": "str",
        "created_utc": "str",
        "score": "int",
        "upvote_ratio": "float",
        "num_comments": "int",
        "selftext": "str",
        "post_type": "Literal['link', 'self', 'image', 'video']",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "sentiment_score": "float",
        "sentiment_source": "NotRequired[Literal['model', 'person']]",
        "highlights": "NotRequired[PostHighlightsDto]",
        "language": "NotRequired[str]",
        "source": "NotRequired[str]",
        "is_deleted": "NotRequired[bool]",
        "unknown": "NotRequired[list[str]]",
    },
)

PostPageDto = TypedDict(
    "PostPageDto",
    {
        "posts": "list[PostListItemDto]",
        "total": "int",
        "cursor": "str",
        "has_more": "bool",
        "suggestions": "NotRequired[list[str]]",
    },
)

PostScoreDto = TypedDict(
    "PostScoreDto",
    {
        "seen_at": "str",
        "score": "int",
        "upvote_ratio": "float",
        "num_comments": "int",
    },
)

PostViewDto = TypedDict(
    "PostViewDto",
    {
        "sentiment_source": "NotRequired[Literal['model', 'person']]",
        "id": "str",
        "workspace_id": "str",
        "forum": "str",
        "title": "str",
        "author": "str",
        "created_utc": "str",
        "permalink": "str",
        "url": "Union[str, None]",
        "score": "int",
        "upvote_ratio": "float",
        "num_comments": "int",
        "selftext": "str",
        "post_type": "Literal['link', 'self', 'image', 'video']",
        "is_nsfw": "bool",
        "is_spoiler": "bool",
        "flair": "str",
        "total_awards": "int",
        "has_media": "bool",
        "media_urls": "list[str]",
        "sentiment_score": "float",
        "sentiment_label": "Literal['positive', 'negative', 'neutral']",
        "keywords": "list[str]",
        "scraped_at": "str",
        "language": "NotRequired[str]",
        "source": "NotRequired[str]",
        "is_deleted": "NotRequired[bool]",
        "unknown": "NotRequired[list[str]]",
    },
)

PrecisionDto = TypedDict(
    "PrecisionDto",
    {
        "estimate": "float",
        "low": "float",
        "high": "float",
    },
)

PreviewCommentDto = TypedDict(
    "PreviewCommentDto",
    {
        "comment_id": "str",
        "post_id": "str",
        "forum": "str",
        "author": "str",
        "created_utc": "str",
        "post_permalink": "str",
        "body": "str",
        "keywords": "list[str]",
    },
)

PreviewMatchDto = TypedDict(
    "PreviewMatchDto",
    {
        "post_id": "str",
        "forum": "str",
        "title": "str",
        "author": "str",
        "created_utc": "str",
        "permalink": "str",
        "keywords": "list[str]",
    },
)

ProblemDto = TypedDict(
    "ProblemDto",
    {
        "type": "str",
        "title": "str",
        "status": "int",
        "detail": "str",
        "instance": "str",
        "code": "str",
        "request_id": "str",
        "errors": "NotRequired[list[FieldErrorDto]]",
        "quota": "NotRequired[str]",
        "limit": "NotRequired[int]",
        "used": "NotRequired[int]",
    },
)

QueryNoticeDto = TypedDict(
    "QueryNoticeDto",
    {
        "position": "int",
        "length": "int",
        "message": "str",
    },
)

QuerySuggestionsDto = TypedDict(
    "QuerySuggestionsDto",
    {
        "queries": "list[SuggestedQueryDto]",
        "places": "list[SuggestedPlaceDto]",
    },
)

QueueOverviewDto = TypedDict(
    "QueueOverviewDto",
    {
        "queue": "Literal['jobs', 'exports', 'schedules', 'deliveries']",
        "waiting": "int",
        "oldest_seconds": "float",
    },
)

QuietHoursDto = TypedDict(
    "QuietHoursDto",
    {
        "from": "str",
        "to": "str",
    },
)

QuotaOverridesDto = TypedDict(
    "QuotaOverridesDto",
    {
        "pending_jobs": "NotRequired[Union[int, None]]",
        "schedules": "NotRequired[Union[int, None]]",
        "alerts": "NotRequired[Union[int, None]]",
        "alert_keywords": "NotRequired[Union[int, None]]",
        "alert_subscriptions": "NotRequired[Union[int, None]]",
        "listened_posts_per_day": "NotRequired[Union[int, None]]",
        "listened_sites": "NotRequired[Union[int, None]]",
        "second_readings_per_day": "NotRequired[Union[int, None]]",
        "reports": "NotRequired[Union[int, None]]",
        "recurring_exports": "NotRequired[Union[int, None]]",
        "webhooks": "NotRequired[Union[int, None]]",
        "api_keys": "NotRequired[Union[int, None]]",
        "media_bytes": "NotRequired[Union[int, None]]",
        "idempotency_keys": "NotRequired[Union[int, None]]",
        "idempotency_bytes": "NotRequired[Union[int, None]]",
        "concurrent_searches": "NotRequired[Union[int, None]]",
        "event_streams": "NotRequired[Union[int, None]]",
        "running_exports": "NotRequired[Union[int, None]]",
    },
)

QuotaUsageDto = TypedDict(
    "QuotaUsageDto",
    {
        "limit": "int",
        "used": "int",
    },
)

QuotasDto = TypedDict(
    "QuotasDto",
    {
        "pending_jobs": "QuotaUsageDto",
        "schedules": "QuotaUsageDto",
        "alerts": "QuotaUsageDto",
        "alert_keywords": "QuotaUsageDto",
        "alert_subscriptions": "QuotaUsageDto",
        "listened_posts_per_day": "QuotaUsageDto",
        "listened_sites": "QuotaUsageDto",
        "second_readings_per_day": "QuotaUsageDto",
        "reports": "QuotaUsageDto",
        "recurring_exports": "QuotaUsageDto",
        "webhooks": "QuotaUsageDto",
        "api_keys": "QuotaUsageDto",
        "media_bytes": "QuotaUsageDto",
        "idempotency_keys": "QuotaUsageDto",
        "idempotency_bytes": "QuotaUsageDto",
        "concurrent_searches": "QuotaUsageDto",
        "event_streams": "QuotaUsageDto",
        "running_exports": "QuotaUsageDto",
    },
)

QuotasOfWorkspaceDto = TypedDict(
    "QuotasOfWorkspaceDto",
    {
        "pending_jobs": "NotRequired[int]",
        "schedules": "NotRequired[int]",
        "alerts": "NotRequired[int]",
        "alert_keywords": "NotRequired[int]",
        "alert_subscriptions": "NotRequired[int]",
        "listened_posts_per_day": "NotRequired[int]",
        "listened_sites": "NotRequired[int]",
        "second_readings_per_day": "NotRequired[int]",
        "reports": "NotRequired[int]",
        "recurring_exports": "NotRequired[int]",
        "webhooks": "NotRequired[int]",
        "api_keys": "NotRequired[int]",
        "media_bytes": "NotRequired[int]",
        "idempotency_keys": "NotRequired[int]",
        "idempotency_bytes": "NotRequired[int]",
        "concurrent_searches": "NotRequired[int]",
        "event_streams": "NotRequired[int]",
        "running_exports": "NotRequired[int]",
    },
)

RecallDto = TypedDict(
    "RecallDto",
    {
        "found": "int",
        "missed": "Union[MissedRowsDto, None]",
        "suggestions": "list[SuggestedWordDto]",
    },
)

RecoverApiKeyDto = TypedDict(
    "RecoverApiKeyDto",
    {
        "name": "NotRequired[str]",
        "scopes": "NotRequired[list[Literal['read', 'write', 'admin']]]",
    },
)

RecurringExportDto = TypedDict(
    "RecurringExportDto",
    {
        "format": "Literal['csv', 'json', 'ndjson', 'parquet']",
        "filters": "Union[ExportedPostFiltersDto, ExportedCommentFiltersDto]",
        "of": "Literal['posts', 'comments']",
        "compression": "Literal['gzip', None, 'zstd']",
        "columns": "Union[list[str], None]",
        "bom": "bool",
        "pseudonymize": "bool",
        "destination": "Union[ShownDestinationDto, None]",
        "every": "Literal['day', 'month', 'week']",
        "weekday": "Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday']",
        "id": "str",
        "name": "str",
        "only_changes": "bool",
        "at": "str",
        "timezone": "str",
        "is_active": "bool",
        "next_run_at": "Union[str, None]",
        "last_run": "Union[LastRunDto, None]",
        "created_at": "str",
    },
)

RedeemSignInLinkDto = TypedDict(
    "RedeemSignInLinkDto",
    {
        "token": "str",
    },
)

RefusedFeedDto = TypedDict(
    "RefusedFeedDto",
    {
        "address": "str",
        "message": "str",
    },
)

RemovedDto = TypedDict(
    "RemovedDto",
    {
        "posts": "int",
        "comments": "int",
        "media": "int",
        "matches": "int",
        "events": "int",
        "exports": "int",
        "jobs": "int",
        "schedules": "int",
        "responses": "int",
        "dataset_rows": "int",
    },
)

ReportContentDto = TypedDict(
    "ReportContentDto",
    {
        "every": "Literal['day', 'month', 'week']",
        "name": "str",
        "timezone": "str",
        "period": "ReportTimesDto",
        "previous": "ReportTimesDto",
        "summary": "str",
        "unchanged": "bool",
        "lines": "list[ReportLineDto]",
        "trend": "list[ReportTrendDto]",
        "new_stories": "list[ReportStoryDto]",
        "to_answer": "list[ReportPostDto]",
        "not_read": "list[NotReadDto]",
    },
)

ReportDto = TypedDict(
    "ReportDto",
    {
        "every": "Literal['day', 'month', 'week']",
        "weekday": "Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday']",
        "channel": "Literal['email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack']",
        "id": "str",
        "name": "str",
        "alerts": "list[str]",
        "searches": "list[str]",
        "at": "str",
        "timezone": "str",
        "channel_config": "dict[str, Any]",
        "created_at": "str",
    },
)

ReportLineDto = TypedDict(
    "ReportLineDto",
    {
        "alert_id": "Union[str, None]",
        "search_id": "Union[str, None]",
        "of": "Literal['all', 'comments', 'posts']",
        "share_of_voice": "Union[ShareOfVoiceDto, None]",
        "name": "str",
        "filters": "dict[str, Any]",
        "volume": "ReportVolumeDto",
        "mean_sentiment": "ReportSentimentDto",
    },
)

ReportPostDto = TypedDict(
    "ReportPostDto",
    {
        "relevance": "Union[float, None]",
        "post_id": "str",
        "alert_id": "str",
        "title": "str",
        "forum": "str",
        "author": "str",
        "permalink": "str",
        "created_utc": "str",
        "score": "int",
        "num_comments": "int",
        "reasons": "list[str]",
    },
)

ReportSentimentDto = TypedDict(
    "ReportSentimentDto",
    {
        "current": "Union[float, None]",
        "previous": "Union[float, None]",
        "change": "Union[float, None]",
    },
)

ReportStoryDto = TypedDict(
    "ReportStoryDto",
    {
        "id": "str",
        "post_id": "str",
        "title": "str",
        "size": "int",
        "first_at": "str",
    },
)

ReportTimesDto = TypedDict(
    "ReportTimesDto",
    {
        "from": "str",
        "to": "str",
    },
)

ReportTrendDto = TypedDict(
    "ReportTrendDto",
    {
        "start": "str",
        "volume": "int",
    },
)

ReportVolumeDto = TypedDict(
    "ReportVolumeDto",
    {
        "current": "int",
        "previous": "int",
        "change": "int",
    },
)

RequestBudgetDto = TypedDict(
    "RequestBudgetDto",
    {
        "source": "str",
        "limit": "int",
        "window_seconds": "int",
        "used": "int",
        "remaining": "int",
        "waiting": "int",
        "resets_in_seconds": "Union[float, None]",
    },
)

ResolveTargetDto = TypedDict(
    "ResolveTargetDto",
    {
        "url": "str",
    },
)

ResolvedTargetDto = TypedDict(
    "ResolvedTargetDto",
    {
        "target": "str",
        "target_type": "Literal['forum', 'user']",
        "source": "str",
        "name": "str",
    },
)

RetentionDaysDto = TypedDict(
    "RetentionDaysDto",
    {
        "posts": "NotRequired[Union[int, None]]",
        "comments": "NotRequired[Union[int, None]]",
        "media": "NotRequired[Union[int, None]]",
        "deliveries": "NotRequired[Union[int, None]]",
        "jobs": "NotRequired[Union[int, None]]",
    },
)

RetentionOfWorkspaceDto = TypedDict(
    "RetentionOfWorkspaceDto",
    {
        "posts": "NotRequired[int]",
        "comments": "NotRequired[int]",
        "media": "NotRequired[int]",
        "deliveries": "NotRequired[int]",
        "jobs": "NotRequired[int]",
    },
)

RetriedDestinationDto = TypedDict(
    "RetriedDestinationDto",
    {
        "id": "str",
        "workspace_id": "str",
        "kind": "Literal['alert', 'member', 'report', 'webhook']",
        "deliveries_due": "int",
    },
)

RollApiKeyDto = TypedDict(
    "RollApiKeyDto",
    {
        "overlap_seconds": "NotRequired[int]",
        "expires_at": "NotRequired[str]",
    },
)

ScheduleConfigDto = TypedDict(
    "ScheduleConfigDto",
    {
        "limit": "NotRequired[int]",
        "download_media": "NotRequired[bool]",
        "scrape_comments": "NotRequired[bool]",
        "plugins": "NotRequired[list[str]]",
        "jitter_seconds": "NotRequired[int]",
        "timezone": "NotRequired[str]",
        "overlap": "NotRequired[Literal['queue', 'skip']]",
    },
)

ScheduleDto = TypedDict(
    "ScheduleDto",
    {
        "id": "str",
        "workspace_id": "str",
        "target": "str",
        "target_type": "Literal['forum', 'user']",
        "mode": "Literal['full', 'history', 'monitor']",
        "config": "dict[str, Any]",
        "cron_expression": "str",
        "is_active": "bool",
        "last_run_at": "Union[str, None]",
        "next_run_at": "str",
        "run_count": "int",
        "created_at": "str",
    },
)

ScheduleRunDto = TypedDict(
    "ScheduleRunDto",
    {
        "schedule_id": "str",
        "due_at": "str",
        "trigger": "Literal['cron', 'manual']",
        "job_id": "Union[str, None]",
        "skip_reason": "Literal[None, 'paused_after_failures', 'previous_job_unfinished', 'quota_exceeded', 'timing_unusable']",
        "detail": "Union[str, None]",
        "recorded_at": "str",
    },
)

ScheduleRunPageDto = TypedDict(
    "ScheduleRunPageDto",
    {
        "runs": "list[ScheduleRunDto]",
        "total": "int",
        "has_more": "bool",
    },
)

SearchDto = TypedDict(
    "SearchDto",
    {
        "of": "Literal['posts', 'comments']",
        "filters": "Union[PostExportFiltersDto, CommentExportFiltersDto]",
        "sort_order": "Literal['asc', 'desc']",
        "id": "str",
        "name": "str",
        "q": "Union[str, None]",
        "sort_by": "Union[str, None]",
        "listen": "list[str]",
        "created_at": "str",
    },
)

SecondReadingDto = TypedDict(
    "SecondReadingDto",
    {
        "reason": "str",
        "relevant": "bool",
    },
)

ServerHealthDto = TypedDict(
    "ServerHealthDto",
    {
        "status": "Literal['ok', 'unavailable']",
        "latency_ms": "Union[float, None]",
    },
)

SessionDto = TypedDict(
    "SessionDto",
    {
        "workspace_id": "str",
        "workspace_name": "str",
        "scopes": "list[Literal['read', 'write', 'admin']]",
        "key_prefix": "str",
    },
)

ShareOfVoiceDto = TypedDict(
    "ShareOfVoiceDto",
    {
        "share": "float",
        "low": "float",
        "high": "float",
    },
)

SharedTrendDto = TypedDict(
    "SharedTrendDto",
    {
        "of": "Literal['posts', 'comments']",
        "period": "Literal['1', '30', '365', '7', '90', 'all']",
        "interval": "Literal['hour', 'day', 'week', 'month']",
        "split_by": "NotRequired[Literal['forum', 'language', 'of', 'post_type', 'sentiment', 'source']]",
        "measure": "Literal['count', 'sentiment', 'share']",
        "created_after": "Union[str, None]",
        "created_before": "Union[str, None]",
        "series": "list[TimeSeriesDto]",
        "expires_at": "str",
        "queries": "list[str]",
    },
)

ShownDestinationDto = TypedDict(
    "ShownDestinationDto",
    {
        "url": "str",
    },
)

SignInLinkDto = TypedDict(
    "SignInLinkDto",
    {
        "path": "str",
        "token": "str",
        "expires_at": "str",
    },
)

SignOnDto = TypedDict(
    "SignOnDto",
    {
        "issuer": "Union[str, None]",
    },
)

SourceDto = TypedDict(
    "SourceDto",
    {
        "listen": "Union[SourceListeningDto, None]",
        "source": "str",
        "name": "str",
        "targets": "list[TargetFormDto]",
        "id_prefixes": "IdPrefixesDto",
        "origin": "str",
        "limit": "SourceLimitDto",
        "modes": "SourceModesDto",
        "lacks": "list[str]",
    },
)

SourceLimitDto = TypedDict(
    "SourceLimitDto",
    {
        "requests": "int",
        "window_seconds": "int",
        "per_site": "bool",
    },
)

SourceListDto = TypedDict(
    "SourceListDto",
    {
        "sources": "list[SourceDto]",
    },
)

SourceListeningDto = TypedDict(
    "SourceListeningDto",
    {
        "form": "str",
        "example": "str",
    },
)

SourceModesDto = TypedDict(
    "SourceModesDto",
    {
        "full": "str",
        "history": "str",
        "monitor": "str",
    },
)

SpeakerDto = TypedDict(
    "SpeakerDto",
    {
        "promotional_share": "float",
        "posts": "int",
        "comments": "int",
        "first_seen_at": "str",
        "active_days": "int",
    },
)

SpikeDto = TypedDict(
    "SpikeDto",
    {
        "expected": "float",
        "score": "float",
        "start": "str",
        "end": "str",
        "count": "int",
        "top_keywords": "list[SpikeKeywordDto]",
        "top_posts": "list[SpikePostDto]",
    },
)

SpikeKeywordDto = TypedDict(
    "SpikeKeywordDto",
    {
        "keyword": "str",
        "count": "int",
    },
)

SpikePostDto = TypedDict(
    "SpikePostDto",
    {
        "id": "str",
        "title": "str",
        "forum": "str",
        "author": "str",
        "created_utc": "str",
        "permalink": "str",
        "score": "int",
        "num_comments": "int",
    },
)

SpikesDto = TypedDict(
    "SpikesDto",
    {
        "interval": "Literal['day', 'hour']",
        "timezone": "str",
        "spikes": "list[SpikeDto]",
    },
)

StorageDto = TypedDict(
    "StorageDto",
    {
        "posts": "int",
        "comments": "int",
        "media_bytes": "int",
    },
)

StoriesDto = TypedDict(
    "StoriesDto",
    {
        "stories": "list[StoryDto]",
        "left_out": "int",
        "cursor": "str",
        "has_more": "bool",
    },
)

StoryDto = TypedDict(
    "StoryDto",
    {
        "id": "str",
        "title": "str",
        "size": "int",
        "first_at": "str",
        "last_at": "str",
        "sources": "list[str]",
        "forums": "list[str]",
        "growth": "int",
        "keywords": "list[str]",
        "posts": "list[str]",
    },
)

StoryPostsDto = TypedDict(
    "StoryPostsDto",
    {
        "posts": "list[PostDto]",
        "comments": "list[CommentDto]",
        "cursor": "str",
        "has_more": "bool",
    },
)

SuggestQueriesDto = TypedDict(
    "SuggestQueriesDto",
    {
        "about": "str",
    },
)

SuggestedPlaceDto = TypedDict(
    "SuggestedPlaceDto",
    {
        "target": "str",
        "why": "str",
    },
)

SuggestedQueryDto = TypedDict(
    "SuggestedQueryDto",
    {
        "q": "str",
        "listen": "list[str]",
        "why": "str",
        "matches": "int",
    },
)

SuggestedWordDto = TypedDict(
    "SuggestedWordDto",
    {
        "add": "str",
        "query": "str",
        "gain": "int",
        "examples": "list[str]",
    },
)

SuppressionDto = TypedDict(
    "SuppressionDto",
    {
        "kind": "Literal['author', 'comment', 'post']",
        "id": "str",
        "hash": "str",
        "created_at": "str",
    },
)

SuppressionPageDto = TypedDict(
    "SuppressionPageDto",
    {
        "suppressions": "list[SuppressionDto]",
        "total": "int",
        "has_more": "bool",
    },
)

TargetFormDto = TypedDict(
    "TargetFormDto",
    {
        "form": "str",
        "example": "str",
        "target_type": "Literal['forum', 'user']",
        "description": "str",
    },
)

TimeSeriesDto = TypedDict(
    "TimeSeriesDto",
    {
        "interval": "Literal['hour', 'day', 'week', 'month']",
        "timezone": "str",
        "buckets": "list[BucketDto]",
    },
)

TrendLinkDto = TypedDict(
    "TrendLinkDto",
    {
        "link_url": "str",
        "expires_at": "str",
    },
)

UpdateAlertDto = TypedDict(
    "UpdateAlertDto",
    {
        "keywords": "NotRequired[list[str]]",
        "query": "NotRequired[Union[str, None]]",
        "forums": "NotRequired[list[str]]",
        "min_relevance": "NotRequired[Union[float, None]]",
        "question": "NotRequired[Union[str, None]]",
        "listen": "NotRequired[list[str]]",
        "channel": "NotRequired[Literal['email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack']]",
        "name": "NotRequired[str]",
        "of": "NotRequired[Literal['all', 'comments', 'posts']]",
        "fold_duplicates": "NotRequired[bool]",
        "condition": "NotRequired[Union[AlertConditionDto, None]]",
        "delivery": "NotRequired[Union[AlertDeliveryDto, None]]",
        "channel_config": "NotRequired[dict[str, Any]]",
        "is_active": "NotRequired[bool]",
    },
)

UpdateMatchDto = TypedDict(
    "UpdateMatchDto",
    {
        "labels": "NotRequired[list[str]]",
        "state": "NotRequired[Literal['dismissed', 'kept', 'new', 'seen']]",
        "note": "NotRequired[str]",
    },
)

UpdateMemberDto = TypedDict(
    "UpdateMemberDto",
    {
        "role": "Literal['editor', 'owner', 'reader']",
    },
)

UpdateNotificationSettingsDto = TypedDict(
    "UpdateNotificationSettingsDto",
    {
        "email": "NotRequired[Union[str, None]]",
        "add_alert_ids": "NotRequired[list[str]]",
        "remove_alert_ids": "NotRequired[list[str]]",
    },
)

UpdateRecurringExportDto = TypedDict(
    "UpdateRecurringExportDto",
    {
        "name": "NotRequired[str]",
        "is_active": "NotRequired[bool]",
        "every": "NotRequired[Literal['day', 'month', 'week']]",
        "at": "NotRequired[str]",
        "weekday": "NotRequired[Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday']]",
        "timezone": "NotRequired[str]",
    },
)

UpdateReportDto = TypedDict(
    "UpdateReportDto",
    {
        "channel": "NotRequired[Literal['email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack']]",
        "name": "NotRequired[str]",
        "channel_config": "NotRequired[dict[str, Any]]",
        "alerts": "NotRequired[list[str]]",
        "searches": "NotRequired[list[str]]",
        "every": "NotRequired[Literal['day', 'month', 'week']]",
        "at": "NotRequired[str]",
        "weekday": "NotRequired[Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday']]",
        "timezone": "NotRequired[str]",
    },
)

UpdateScheduleDto = TypedDict(
    "UpdateScheduleDto",
    {
        "is_active": "NotRequired[bool]",
        "cron_expression": "NotRequired[str]",
        "mode": "NotRequired[Literal['full', 'history', 'monitor']]",
        "config": "NotRequired[ScheduleConfigDto]",
    },
)

UpdateSearchDto = TypedDict(
    "UpdateSearchDto",
    {
        "filters": "NotRequired[Union[PostExportFiltersDto, CommentExportFiltersDto]]",
        "listen": "NotRequired[list[str]]",
        "name": "NotRequired[str]",
        "q": "NotRequired[str]",
        "sort_by": "NotRequired[str]",
        "sort_order": "NotRequired[Literal['asc', 'desc']]",
    },
)

UpdateWebhookDto = TypedDict(
    "UpdateWebhookDto",
    {
        "url": "NotRequired[str]",
        "events": "NotRequired[list[Literal['alert.triggered', 'export.completed', 'job.completed', 'job.failed']]]",
        "is_active": "NotRequired[bool]",
        "secret": "NotRequired[Union[str, None]]",
        "format": "NotRequired[Literal['cloudevents', 'standard']]",
    },
)

UpdateWorkspaceDto = TypedDict(
    "UpdateWorkspaceDto",
    {
        "name": "NotRequired[str]",
        "status": "NotRequired[Literal['active', 'suspended']]",
        "quotas": "NotRequired[QuotaOverridesDto]",
        "retention_days": "NotRequired[RetentionDaysDto]",
    },
)

UpdatedScheduleDto = TypedDict(
    "UpdatedScheduleDto",
    {
        "id": "str",
        "target": "str",
        "is_active": "bool",
        "cron_expression": "str",
        "run_count": "int",
    },
)

UsageDto = TypedDict(
    "UsageDto",
    {
        "quotas": "QuotasDto",
        "storage": "StorageDto",
        "requests_last_minute": "int",
    },
)

VersionsDto = TypedDict(
    "VersionsDto",
    {
        "service": "str",
        "node": "str",
        "postgres": "Union[str, None]",
        "redis": "Union[str, None]",
    },
)

WaitingForDto = TypedDict(
    "WaitingForDto",
    {
        "until": "Union[str, None]",
        "reason": "Literal['budget', 'claims', 'retry', 'turn', 'worker']",
        "cause": "str",
        "position": "NotRequired[int]",
    },
)

WebhookDto = TypedDict(
    "WebhookDto",
    {
        "id": "str",
        "url": "str",
        "events": "list[Literal['alert.triggered', 'export.completed', 'job.completed', 'job.failed']]",
        "is_active": "bool",
        "last_triggered_at": "Union[str, None]",
        "failure_count": "int",
        "created_at": "str",
        "format": "NotRequired[Literal['cloudevents', 'standard']]",
    },
)

WebhookTestDataDto = TypedDict(
    "WebhookTestDataDto",
    {
        "webhook_id": "str",
        "message": "str",
    },
)

WebhookTestEventDto = TypedDict(
    "WebhookTestEventDto",
    {
        "type": "Literal['webhook.test']",
        "data": "WebhookTestDataDto",
        "id": "str",
        "timestamp": "str",
        "workspace_id": "str",
    },
)

WorkerOverviewDto = TypedDict(
    "WorkerOverviewDto",
    {
        "worker": "str",
        "seen_seconds_ago": "float",
        "alive": "bool",
        "claims_failing": "bool",
    },
)

WorkspaceDeletionDto = TypedDict(
    "WorkspaceDeletionDto",
    {
        "requested_at": "str",
        "rows": "int",
    },
)

WorkspaceUsageDto = TypedDict(
    "WorkspaceUsageDto",
    {
        "posts": "int",
        "comments": "int",
        "media_bytes": "int",
        "pending_jobs": "int",
    },
)

PostFilters = TypedDict(
    "PostFilters",
    {
        "forum": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "author": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "sentiment": "NotRequired[Union[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], Iterable[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]], None]]",
        "language": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "source": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "post_type": "NotRequired[Union[Union[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video'], Iterable[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video']]], None]]",
        "flair": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "keyword": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "highlight": "NotRequired[Union[bool, None]]",
        "q": "NotRequired[Union[str, None]]",
        "min_score": "NotRequired[Union[int, None]]",
        "max_score": "NotRequired[Union[int, None]]",
        "created_after": "NotRequired[Union[Union[str, date], None]]",
        "created_before": "NotRequired[Union[Union[str, date], None]]",
        "is_nsfw": "NotRequired[Union[bool, None]]",
        "has_media": "NotRequired[Union[bool, None]]",
        "min_comments": "NotRequired[Union[int, None]]",
        "sort_by": "NotRequired[Union[Literal['created_utc', 'score', 'num_comments', 'upvote_ratio', 'sentiment_score', 'scraped_at', 'relevance'], None]]",
        "sort_order": "NotRequired[Union[Literal['asc', 'desc'], None]]",
        "view": "NotRequired[Union[Literal['full', 'list'], None]]",
        "suggest": "NotRequired[Union[bool, None]]",
    },
)

CommentFilters = TypedDict(
    "CommentFilters",
    {
        "forum": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "author": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "sentiment": "NotRequired[Union[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], Iterable[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]], None]]",
        "language": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "source": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "sort_by": "NotRequired[Union[Literal['created_utc', 'score', 'sentiment_score', 'relevance', 'thread'], None]]",
        "sort_order": "NotRequired[Union[Literal['asc', 'desc'], None]]",
        "highlight": "NotRequired[Union[bool, None]]",
        "q": "NotRequired[Union[str, None]]",
        "min_score": "NotRequired[Union[int, None]]",
        "max_score": "NotRequired[Union[int, None]]",
        "created_after": "NotRequired[Union[Union[str, date], None]]",
        "created_before": "NotRequired[Union[Union[str, date], None]]",
        "post_id": "NotRequired[Union[str, None]]",
        "view": "NotRequired[Union[Literal['full', 'list'], None]]",
        "suggest": "NotRequired[Union[bool, None]]",
    },
)

MatchFilters = TypedDict(
    "MatchFilters",
    {
        "min_relevance": "NotRequired[Union[float, None]]",
        "sort_by": "NotRequired[Union[Literal['matched_at', 'relevance', 'uncertainty'], None]]",
        "view": "NotRequired[Union[Literal['full', 'list'], None]]",
        "alert_id": "NotRequired[Union[str, None]]",
        "state": "NotRequired[Union[Literal['dismissed', 'kept', 'new', 'seen'], None]]",
        "label": "NotRequired[Union[str, None]]",
        "of": "NotRequired[Union[Literal['all', 'comments', 'posts'], None]]",
    },
)

StoryFilters = TypedDict(
    "StoryFilters",
    {
        "forum": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "author": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "sentiment": "NotRequired[Union[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], Iterable[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]], None]]",
        "language": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "source": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "post_type": "NotRequired[Union[Union[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video'], Iterable[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video']]], None]]",
        "flair": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "keyword": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "q": "NotRequired[Union[str, None]]",
        "min_score": "NotRequired[Union[int, None]]",
        "max_score": "NotRequired[Union[int, None]]",
        "created_after": "NotRequired[Union[Union[str, date], None]]",
        "created_before": "NotRequired[Union[Union[str, date], None]]",
        "is_nsfw": "NotRequired[Union[bool, None]]",
        "has_media": "NotRequired[Union[bool, None]]",
        "min_comments": "NotRequired[Union[int, None]]",
        "of": "NotRequired[Union[Literal['all', 'comments', 'posts'], None]]",
        "alert_id": "NotRequired[Union[str, None]]",
        "since": "NotRequired[Union[str, None]]",
        "post_id": "NotRequired[Union[str, None]]",
    },
)

FacetFilters = TypedDict(
    "FacetFilters",
    {
        "forum": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "author": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "sentiment": "NotRequired[Union[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], Iterable[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]], None]]",
        "language": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "source": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "post_type": "NotRequired[Union[Union[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video'], Iterable[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video']]], None]]",
        "flair": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "keyword": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "q": "NotRequired[Union[str, None]]",
        "min_score": "NotRequired[Union[int, None]]",
        "max_score": "NotRequired[Union[int, None]]",
        "created_after": "NotRequired[Union[Union[str, date], None]]",
        "created_before": "NotRequired[Union[Union[str, date], None]]",
        "is_nsfw": "NotRequired[Union[bool, None]]",
        "has_media": "NotRequired[Union[bool, None]]",
        "min_comments": "NotRequired[Union[int, None]]",
        "of": "NotRequired[Union[Literal['posts', 'comments'], None]]",
        "by": "NotRequired[Union[str, None]]",
        "limit": "NotRequired[Union[int, None]]",
        "multi": "NotRequired[Union[bool, None]]",
        "post_id": "NotRequired[Union[str, None]]",
    },
)

SpikeFilters = TypedDict(
    "SpikeFilters",
    {
        "forum": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "author": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "sentiment": "NotRequired[Union[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], Iterable[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]], None]]",
        "language": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "source": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "post_type": "NotRequired[Union[Union[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video'], Iterable[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video']]], None]]",
        "flair": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "keyword": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "q": "NotRequired[Union[str, None]]",
        "min_score": "NotRequired[Union[int, None]]",
        "max_score": "NotRequired[Union[int, None]]",
        "created_after": "NotRequired[Union[Union[str, date], None]]",
        "created_before": "NotRequired[Union[Union[str, date], None]]",
        "is_nsfw": "NotRequired[Union[bool, None]]",
        "has_media": "NotRequired[Union[bool, None]]",
        "min_comments": "NotRequired[Union[int, None]]",
        "of": "NotRequired[Union[Literal['posts', 'comments'], None]]",
        "interval": "NotRequired[Union[Literal['day', 'hour'], None]]",
        "timezone": "NotRequired[Union[str, None]]",
        "post_id": "NotRequired[Union[str, None]]",
    },
)

TimeSeriesFilters = TypedDict(
    "TimeSeriesFilters",
    {
        "forum": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "author": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "sentiment": "NotRequired[Union[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], Iterable[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]], None]]",
        "language": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "source": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "post_type": "NotRequired[Union[Union[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video'], Iterable[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video']]], None]]",
        "flair": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "keyword": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "q": "NotRequired[Union[str, None]]",
        "min_score": "NotRequired[Union[int, None]]",
        "max_score": "NotRequired[Union[int, None]]",
        "created_after": "NotRequired[Union[Union[str, date], None]]",
        "created_before": "NotRequired[Union[Union[str, date], None]]",
        "is_nsfw": "NotRequired[Union[bool, None]]",
        "has_media": "NotRequired[Union[bool, None]]",
        "min_comments": "NotRequired[Union[int, None]]",
        "of": "NotRequired[Union[Literal['posts', 'comments'], None]]",
        "interval": "NotRequired[Union[Literal['hour', 'day', 'week', 'month'], None]]",
        "timezone": "NotRequired[Union[str, None]]",
        "split_by": "NotRequired[Union[Literal['forum', 'language', 'post_type', 'sentiment', 'source'], None]]",
        "post_id": "NotRequired[Union[str, None]]",
    },
)

ExportFilters = TypedDict(
    "ExportFilters",
    {
        "forum": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "author": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "sentiment": "NotRequired[Union[Union[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive'], Iterable[Literal['!negative', '!neutral', '!positive', 'negative', 'neutral', 'positive']]], None]]",
        "language": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "source": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "post_type": "NotRequired[Union[Union[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video'], Iterable[Literal['!image', '!link', '!self', '!video', 'image', 'link', 'self', 'video']]], None]]",
        "flair": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "keyword": "NotRequired[Union[Union[str, Iterable[str]], None]]",
        "q": "NotRequired[Union[str, None]]",
        "min_score": "NotRequired[Union[int, None]]",
        "max_score": "NotRequired[Union[int, None]]",
        "created_after": "NotRequired[Union[Union[str, date], None]]",
        "created_before": "NotRequired[Union[Union[str, date], None]]",
        "is_nsfw": "NotRequired[Union[bool, None]]",
        "has_media": "NotRequired[Union[bool, None]]",
        "min_comments": "NotRequired[Union[int, None]]",
        "state": "NotRequired[Union[Literal['dismissed', 'kept', 'new', 'seen'], None]]",
        "label": "NotRequired[Union[str, None]]",
        "post_id": "NotRequired[Union[str, None]]",
    },
)
