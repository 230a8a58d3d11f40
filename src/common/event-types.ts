/** What webhooks can subscribe to. */
export const EVENT_TYPES = ['job.completed', 'job.failed', 'alert.triggered'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent to one webhook on its owner's request; nobody subscribes to it. */
export const TEST_EVENT_TYPE = 'webhook.test';
