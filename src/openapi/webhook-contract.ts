import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { WEBHOOK_MEDIA_TYPES } from '../deliver/webhooks/webhook-body.js';
import { API_PREFIX } from '../http/request/paths.js';
import { type EventType, type TestEventType } from '../messages/outbox/event-types.js';
import { exampleOf, TIME, WORKSPACE } from './examples.js';
import {
  AlertTestEventDto,
  AlertTriggeredEventDto,
  ExportCompletedEventDto,
  JobCompletedEventDto,
  JobFailedEventDto,
  WebhookTestEventDto,
} from './webhook-events.dto.js';

interface DocumentedEvent {
  body: Type;
  summary: string;
  description: string;
  /** Id of the record that it reports on; absent for that of `data`. */
  subject?: string;
  data: object;
}

const alert = exampleOf('createAlert');
const post = exampleOf('getPost');
const WEBHOOK = 'wh_6d7e8f90-a1b2-4c3d-8e4f-5061728394a5';

const triggeredAlert = {
  id: alert.id,
  name: alert.name,
  keywords: alert.keywords,
  forums: alert.forums,
  channel: alert.channel,
  is_active: true,
  last_triggered_at: TIME,
  trigger_count: 1,
  created_at: TIME,
};

const matched = (one: object): object => ({
  posts: [one],
  comments: [],
  matched_posts: [one],
  matched_posts_total: 1,
  matched_comments_total: 0,
});

/** Every event sent to webhooks. The compiler requires an entry for each event type. */
const EVENTS: Record<EventType | TestEventType, DocumentedEvent> = {
  'job.completed': {
    body: JobCompletedEventDto,
    summary: 'A scrape job completed',
    description: "`data` is the job's record.",
    data: exampleOf('getJob'),
  },
  'job.failed': {
    body: JobFailedEventDto,
    summary: 'A scrape job failed',
    description: "`data` is the job's record, with `error_message` and `progress.error_code`.",
    data: {
      ...exampleOf('createJob'),
      status: 'failed',
      started_at: TIME,
      completed_at: TIME,
      duration_seconds: 0.4,
      error_message: 'Forum "technology" was banned by the platform',
      progress: { posts: 0, comments: 0, media: 0, requests: 1, error_code: 'target_banned' },
    },
  },
  'alert.triggered': {
    body: AlertTriggeredEventDto,
    summary: 'An alert matched new records',
    description: 'One event for each alert and batch of new posts or comments with matches.',
    data: {
      ...triggeredAlert,
      ...matched({
        id: post.id,
        forum: post.forum,
        title: post.title,
        author: post.author,
        created_utc: post.created_utc,
        permalink: post.permalink,
        url: post.url,
        score: post.score,
        num_comments: post.num_comments,
        selftext: post.selftext,
        matched_keywords: ['acme'],
      }),
    },
  },
  'export.completed': {
    body: ExportCompletedEventDto,
    summary: 'An export completed',
    description: "`data` is the export's record.",
    data: exampleOf('getExport'),
  },
  'webhook.test': {
    body: WebhookTestEventDto,
    summary: 'A test was requested',
    description: 'Sent by `POST /webhooks/{webhook_id}/test` to that webhook only.',
    subject: WEBHOOK,
    data: { webhook_id: WEBHOOK, message: 'This is a test' },
  },
  'alert.test': {
    body: AlertTestEventDto,
    summary: 'A test of an alert was requested',
    description:
      'Sent by `POST /alerts/{alert_id}/test` to the channel of that alert only, with a sample post.',
    data: {
      ...triggeredAlert,
      ...matched({
        id: 't3_test',
        forum: 'test',
        title: 'This is a test of your alert',
        author: 'test',
        created_utc: TIME,
        permalink: '/',
        url: null,
        score: 0,
        num_comments: 0,
        selftext: 'Notifications of this alert look like this one. No post matched.',
        matched_keywords: ['acme'],
      }),
    },
  },
};

/** Schemas that {@link documentWebhooks} refers to. */
export const EVENT_SCHEMAS: Type[] = Object.values(EVENTS).map(({ body }) => body);

const header = (name: string, required: boolean, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required,
  description,
  schema: { type: 'string' as const },
  example,
});

const EVENT = 'evt_1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f';
const CLOUD_EVENT = {
  specversion: '1.0',
  id: EVENT,
  source: `/${API_PREFIX}/workspaces/${WORKSPACE}`,
  datacontenttype: 'application/json',
};

/** The schema of an event as CloudEvents 1.0 in structured mode. */
const cloudEventSchema = (type: string, data: object): object => ({
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'data'],
  properties: {
    specversion: { type: 'string', enum: ['1.0'] },
    id: { type: 'string', description: 'Id of the event, `evt_…`.' },
    source: { type: 'string', format: 'uri-reference', description: 'Path of the workspace.' },
    type: { type: 'string', enum: [type] },
    subject: { type: 'string', description: 'Id of the record that the event reports on.' },
    time: { type: 'string', format: 'date-time' },
    datacontenttype: { type: 'string', enum: ['application/json'] },
    data,
  },
});

const dataSchemaOf = ({ components }: OpenAPIObject, body: Type): object =>
  (components!.schemas![body.name] as { properties: { data: object } }).properties.data;

/** Headers defined by Standard Webhooks. */
const HEADERS = [
  header(
    'webhook-id',
    true,
    'The same for every attempt to deliver the event.',
    'dlv_5b8e2f4c-9d0a-4b6e-8f1c-2a3b4c5d6e7f',
  ),
  header('webhook-timestamp', true, 'Time of the attempt in Unix seconds.', '1795253400'),
  header(
    'webhook-signature',
    false,
    'Present when the webhook has a secret: one `v1,` and base64 HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}` for each valid secret, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** Adds the `webhooks` section: the requests that this service sends to registered addresses. */
export function documentWebhooks(document: OpenAPIObject): OpenAPIObject {
  const webhooks = Object.fromEntries(
    Object.entries(EVENTS).map(
      ([type, { body, summary, description, data, subject = (data as { id?: string }).id }]) => [
        type,
        {
          post: {
            operationId: `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
            tags: ['Webhooks'],
            summary,
            description,
            security: [],
            parameters: HEADERS,
            requestBody: {
              required: true,
              content: {
                [WEBHOOK_MEDIA_TYPES.standard]: {
                  schema: { $ref: getSchemaPath(body) },
                  example: { id: EVENT, type, timestamp: TIME, workspace_id: WORKSPACE, data },
                },
                [WEBHOOK_MEDIA_TYPES.cloudevents]: {
                  schema: cloudEventSchema(type, dataSchemaOf(document, body)),
                  example: { ...CLOUD_EVENT, type, subject, time: TIME, data },
                },
              },
            },
            responses: {
              '2XX': { description: 'Received. Any other status is a failure, and the event is sent again.' },
              '410': { description: 'The URL no longer exists: the webhook is disabled.' },
            },
          },
        },
      ],
    ),
  );
  return { ...document, webhooks };
}
