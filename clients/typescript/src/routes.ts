// Written from the contract by "npm run client:generate".

/** Where operations are. "query" names the parameters of those that also have a body. */
export const ROUTES = {
 "alerts": {
  "list": {
   "id": "listAlerts",
   "method": "GET",
   "path": "/alerts"
  },
  "create": {
   "id": "createAlert",
   "method": "POST",
   "path": "/alerts",
   "query": [
    "view"
   ],
   "isIdempotent": true
  },
  "preview": {
   "id": "previewAlert",
   "method": "POST",
   "path": "/alerts/preview",
   "query": []
  },
  "get": {
   "id": "getAlert",
   "method": "GET",
   "path": "/alerts/{alert_id}"
  },
  "update": {
   "id": "updateAlert",
   "method": "PATCH",
   "path": "/alerts/{alert_id}",
   "query": [
    "view"
   ]
  },
  "delete": {
   "id": "deleteAlert",
   "method": "DELETE",
   "path": "/alerts/{alert_id}"
  },
  "listDeliveries": {
   "id": "listAlertDeliveries",
   "method": "GET",
   "path": "/alerts/{alert_id}/deliveries"
  },
  "getDelivery": {
   "id": "getAlertDelivery",
   "method": "GET",
   "path": "/alerts/{alert_id}/deliveries/{delivery_id}"
  },
  "redeliverDelivery": {
   "id": "redeliverAlertDelivery",
   "method": "POST",
   "path": "/alerts/{alert_id}/deliveries/{delivery_id}/redeliver",
   "isIdempotent": true
  },
  "getListening": {
   "id": "getListening",
   "method": "GET",
   "path": "/alerts/{alert_id}/listening"
  },
  "listMatches": {
   "id": "listAlertMatches",
   "method": "GET",
   "path": "/alerts/{alert_id}/matches"
  },
  "getRecall": {
   "id": "getAlertRecall",
   "method": "GET",
   "path": "/alerts/{alert_id}/recall"
  },
  "getRelevance": {
   "id": "getAlertRelevance",
   "method": "GET",
   "path": "/alerts/{alert_id}/relevance"
  },
  "test": {
   "id": "testAlert",
   "method": "POST",
   "path": "/alerts/{alert_id}/test",
   "isIdempotent": true
  }
 },
 "analytics": {
  "getFacets": {
   "id": "getFacets",
   "method": "GET",
   "path": "/analytics/facets"
  },
  "getKeywords": {
   "id": "getKeywords",
   "method": "GET",
   "path": "/analytics/keywords"
  },
  "findSpikes": {
   "id": "findSpikes",
   "method": "GET",
   "path": "/analytics/spikes"
  },
  "getTimeSeries": {
   "id": "getTimeSeries",
   "method": "GET",
   "path": "/analytics/timeseries"
  }
 },
 "apiKeys": {
  "list": {
   "id": "listApiKeys",
   "method": "GET",
   "path": "/api-keys"
  },
  "create": {
   "id": "createApiKey",
   "method": "POST",
   "path": "/api-keys",
   "query": [],
   "isIdempotent": true
  },
  "get": {
   "id": "getApiKey",
   "method": "GET",
   "path": "/api-keys/{key_id}"
  },
  "revoke": {
   "id": "revokeApiKey",
   "method": "DELETE",
   "path": "/api-keys/{key_id}"
  },
  "roll": {
   "id": "rollApiKey",
   "method": "POST",
   "path": "/api-keys/{key_id}/roll",
   "query": [],
   "isIdempotent": true
  }
 },
 "audit": {
  "list": {
   "id": "listAudit",
   "method": "GET",
   "path": "/audit"
  }
 },
 "comments": {
  "list": {
   "id": "listComments",
   "method": "GET",
   "path": "/comments"
  },
  "get": {
   "id": "getComment",
   "method": "GET",
   "path": "/comments/{comment_id}"
  },
  "delete": {
   "id": "deleteComment",
   "method": "DELETE",
   "path": "/comments/{comment_id}"
  },
  "updateSentiment": {
   "id": "updateCommentSentiment",
   "method": "PATCH",
   "path": "/comments/{comment_id}/sentiment",
   "query": []
  }
 },
 "datasets": {
  "create": {
   "id": "createDataset",
   "method": "POST",
   "path": "/datasets",
   "query": [],
   "isIdempotent": true
  },
  "list": {
   "id": "listDatasets",
   "method": "GET",
   "path": "/datasets"
  },
  "get": {
   "id": "getDataset",
   "method": "GET",
   "path": "/datasets/{dataset_id}"
  },
  "delete": {
   "id": "deleteDataset",
   "method": "DELETE",
   "path": "/datasets/{dataset_id}"
  }
 },
 "erasures": {
  "list": {
   "id": "listErasures",
   "method": "GET",
   "path": "/erasures"
  },
  "create": {
   "id": "createErasure",
   "method": "POST",
   "path": "/erasures",
   "query": [],
   "isIdempotent": true
  },
  "get": {
   "id": "getErasure",
   "method": "GET",
   "path": "/erasures/{erasure_id}"
  }
 },
 "exports": {
  "create": {
   "id": "createExport",
   "method": "POST",
   "path": "/exports",
   "query": [],
   "isIdempotent": true
  },
  "list": {
   "id": "listExports",
   "method": "GET",
   "path": "/exports"
  },
  "get": {
   "id": "getExport",
   "method": "GET",
   "path": "/exports/{export_id}"
  },
  "delete": {
   "id": "deleteExport",
   "method": "DELETE",
   "path": "/exports/{export_id}"
  }
 },
 "jobs": {
  "create": {
   "id": "createJob",
   "method": "POST",
   "path": "/jobs",
   "query": [],
   "isIdempotent": true
  },
  "list": {
   "id": "listJobs",
   "method": "GET",
   "path": "/jobs"
  },
  "get": {
   "id": "getJob",
   "method": "GET",
   "path": "/jobs/{job_id}"
  },
  "cancel": {
   "id": "cancelJob",
   "method": "DELETE",
   "path": "/jobs/{job_id}"
  },
  "getLog": {
   "id": "getJobLog",
   "method": "GET",
   "path": "/jobs/{job_id}/log"
  },
  "listPosts": {
   "id": "listJobPosts",
   "method": "GET",
   "path": "/jobs/{job_id}/posts"
  },
  "repeat": {
   "id": "repeatJob",
   "method": "POST",
   "path": "/jobs/{job_id}/repeat",
   "isIdempotent": true
  }
 },
 "labels": {
  "createLabels": {
   "id": "createLabels",
   "method": "POST",
   "path": "/labels",
   "query": [],
   "isIdempotent": true
  },
  "list": {
   "id": "listLabels",
   "method": "GET",
   "path": "/labels"
  },
  "getAgreement": {
   "id": "getAgreement",
   "method": "GET",
   "path": "/labels/agreement"
  },
  "deleteLabels": {
   "id": "deleteLabels",
   "method": "DELETE",
   "path": "/labels/{labeller}"
  }
 },
 "matches": {
  "list": {
   "id": "listMatches",
   "method": "GET",
   "path": "/matches"
  },
  "updateMatches": {
   "id": "updateMatches",
   "method": "POST",
   "path": "/matches/bulk",
   "query": [],
   "isIdempotent": true
  },
  "update": {
   "id": "updateMatch",
   "method": "PATCH",
   "path": "/matches/{match_id}",
   "query": []
  }
 },
 "me": {
  "getNotificationSettings": {
   "id": "getNotificationSettings",
   "method": "GET",
   "path": "/me/notifications"
  },
  "updateNotificationSettings": {
   "id": "updateNotificationSettings",
   "method": "PATCH",
   "path": "/me/notifications",
   "query": []
  },
  "listNotificationDeliveries": {
   "id": "listNotificationDeliveries",
   "method": "GET",
   "path": "/me/notifications/deliveries"
  }
 },
 "members": {
  "list": {
   "id": "listMembers",
   "method": "GET",
   "path": "/members"
  },
  "create": {
   "id": "createMember",
   "method": "POST",
   "path": "/members",
   "query": [
    "view"
   ],
   "isIdempotent": true
  },
  "update": {
   "id": "updateMember",
   "method": "PATCH",
   "path": "/members/{member_id}",
   "query": []
  },
  "remove": {
   "id": "removeMember",
   "method": "DELETE",
   "path": "/members/{member_id}"
  }
 },
 "plugins": {
  "list": {
   "id": "listPlugins",
   "method": "GET",
   "path": "/plugins"
  }
 },
 "posts": {
  "list": {
   "id": "listPosts",
   "method": "GET",
   "path": "/posts"
  },
  "listForums": {
   "id": "listForums",
   "method": "GET",
   "path": "/posts/forums/list"
  },
  "get": {
   "id": "getPost",
   "method": "GET",
   "path": "/posts/{post_id}"
  },
  "delete": {
   "id": "deletePost",
   "method": "DELETE",
   "path": "/posts/{post_id}"
  },
  "getAnnotations": {
   "id": "getPostAnnotations",
   "method": "GET",
   "path": "/posts/{post_id}/annotations"
  },
  "getHistory": {
   "id": "getPostHistory",
   "method": "GET",
   "path": "/posts/{post_id}/history"
  },
  "listMedia": {
   "id": "listPostMedia",
   "method": "GET",
   "path": "/posts/{post_id}/media"
  },
  "updateSentiment": {
   "id": "updatePostSentiment",
   "method": "PATCH",
   "path": "/posts/{post_id}/sentiment",
   "query": []
  }
 },
 "queries": {
  "suggestQueries": {
   "id": "suggestQueries",
   "method": "POST",
   "path": "/queries/suggest",
   "query": []
  }
 },
 "recurringExports": {
  "list": {
   "id": "listRecurringExports",
   "method": "GET",
   "path": "/recurring-exports"
  },
  "create": {
   "id": "createRecurringExport",
   "method": "POST",
   "path": "/recurring-exports",
   "query": [],
   "isIdempotent": true
  },
  "update": {
   "id": "updateRecurringExport",
   "method": "PATCH",
   "path": "/recurring-exports/{recurring_export_id}",
   "query": []
  },
  "delete": {
   "id": "deleteRecurringExport",
   "method": "DELETE",
   "path": "/recurring-exports/{recurring_export_id}"
  }
 },
 "reports": {
  "list": {
   "id": "listReports",
   "method": "GET",
   "path": "/reports"
  },
  "create": {
   "id": "createReport",
   "method": "POST",
   "path": "/reports",
   "query": [],
   "isIdempotent": true
  },
  "get": {
   "id": "getReport",
   "method": "GET",
   "path": "/reports/{report_id}"
  },
  "update": {
   "id": "updateReport",
   "method": "PATCH",
   "path": "/reports/{report_id}",
   "query": []
  },
  "delete": {
   "id": "deleteReport",
   "method": "DELETE",
   "path": "/reports/{report_id}"
  }
 },
 "schedules": {
  "list": {
   "id": "listSchedules",
   "method": "GET",
   "path": "/schedules"
  },
  "create": {
   "id": "createSchedule",
   "method": "POST",
   "path": "/schedules",
   "query": [],
   "isIdempotent": true
  },
  "get": {
   "id": "getSchedule",
   "method": "GET",
   "path": "/schedules/{schedule_id}"
  },
  "update": {
   "id": "updateSchedule",
   "method": "PATCH",
   "path": "/schedules/{schedule_id}",
   "query": []
  },
  "delete": {
   "id": "deleteSchedule",
   "method": "DELETE",
   "path": "/schedules/{schedule_id}"
  },
  "listNextRuns": {
   "id": "listNextRuns",
   "method": "GET",
   "path": "/schedules/{schedule_id}/next"
  },
  "run": {
   "id": "runSchedule",
   "method": "POST",
   "path": "/schedules/{schedule_id}/run",
   "isIdempotent": true
  },
  "listRuns": {
   "id": "listScheduleRuns",
   "method": "GET",
   "path": "/schedules/{schedule_id}/runs"
  }
 },
 "search": {
  "getQueryExplanation": {
   "id": "getQueryExplanation",
   "method": "GET",
   "path": "/search/explain"
  },
  "getRecall": {
   "id": "getRecall",
   "method": "GET",
   "path": "/search/recall"
  }
 },
 "searches": {
  "list": {
   "id": "listSearches",
   "method": "GET",
   "path": "/searches"
  },
  "create": {
   "id": "createSearch",
   "method": "POST",
   "path": "/searches",
   "query": [],
   "isIdempotent": true
  },
  "get": {
   "id": "getSearch",
   "method": "GET",
   "path": "/searches/{search_id}"
  },
  "update": {
   "id": "updateSearch",
   "method": "PATCH",
   "path": "/searches/{search_id}",
   "query": []
  },
  "delete": {
   "id": "deleteSearch",
   "method": "DELETE",
   "path": "/searches/{search_id}"
  },
  "createFeed": {
   "id": "createFeed",
   "method": "POST",
   "path": "/searches/{search_id}/feed",
   "isIdempotent": true
  },
  "endFeed": {
   "id": "endFeed",
   "method": "DELETE",
   "path": "/searches/{search_id}/feed"
  }
 },
 "sessions": {
  "list": {
   "id": "listSessions",
   "method": "GET",
   "path": "/sessions"
  },
  "endAllSessions": {
   "id": "endAllSessions",
   "method": "DELETE",
   "path": "/sessions"
  },
  "end": {
   "id": "endSession",
   "method": "DELETE",
   "path": "/sessions/{session_id}"
  }
 },
 "sources": {
  "createFeedSchedules": {
   "id": "createFeedSchedules",
   "method": "POST",
   "path": "/sources/opml",
   "query": [],
   "isIdempotent": true
  },
  "resolveTarget": {
   "id": "resolveTarget",
   "method": "POST",
   "path": "/sources/resolve",
   "query": []
  }
 },
 "stories": {
  "list": {
   "id": "listStories",
   "method": "GET",
   "path": "/stories"
  },
  "listPosts": {
   "id": "listStoryPosts",
   "method": "GET",
   "path": "/stories/{story_id}/posts"
  }
 },
 "suppressions": {
  "list": {
   "id": "listSuppressions",
   "method": "GET",
   "path": "/suppressions"
  },
  "delete": {
   "id": "deleteSuppression",
   "method": "DELETE",
   "path": "/suppressions/{suppression_id}"
  }
 },
 "trends": {
  "listPinnedTrends": {
   "id": "listPinnedTrends",
   "method": "GET",
   "path": "/trends/pins"
  },
  "createPinnedTrend": {
   "id": "createPinnedTrend",
   "method": "POST",
   "path": "/trends/pins",
   "query": [],
   "isIdempotent": true
  },
  "deletePinnedTrend": {
   "id": "deletePinnedTrend",
   "method": "DELETE",
   "path": "/trends/pins/{pin_id}"
  },
  "createLink": {
   "id": "createTrendLink",
   "method": "POST",
   "path": "/trends/pins/{pin_id}/link",
   "isIdempotent": true
  },
  "endLink": {
   "id": "endTrendLink",
   "method": "DELETE",
   "path": "/trends/pins/{pin_id}/link"
  }
 },
 "usage": {
  "get": {
   "id": "getUsage",
   "method": "GET",
   "path": "/usage"
  }
 },
 "webhooks": {
  "list": {
   "id": "listWebhooks",
   "method": "GET",
   "path": "/webhooks"
  },
  "create": {
   "id": "createWebhook",
   "method": "POST",
   "path": "/webhooks",
   "query": [
    "view"
   ],
   "isIdempotent": true
  },
  "get": {
   "id": "getWebhook",
   "method": "GET",
   "path": "/webhooks/{webhook_id}"
  },
  "update": {
   "id": "updateWebhook",
   "method": "PATCH",
   "path": "/webhooks/{webhook_id}",
   "query": [
    "view"
   ]
  },
  "delete": {
   "id": "deleteWebhook",
   "method": "DELETE",
   "path": "/webhooks/{webhook_id}"
  },
  "listDeliveries": {
   "id": "listWebhookDeliveries",
   "method": "GET",
   "path": "/webhooks/{webhook_id}/deliveries"
  },
  "getDelivery": {
   "id": "getWebhookDelivery",
   "method": "GET",
   "path": "/webhooks/{webhook_id}/deliveries/{delivery_id}"
  },
  "redeliverDelivery": {
   "id": "redeliverWebhookDelivery",
   "method": "POST",
   "path": "/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
   "isIdempotent": true
  },
  "test": {
   "id": "testWebhook",
   "method": "POST",
   "path": "/webhooks/{webhook_id}/test",
   "isIdempotent": true
  }
 }
} as const;
