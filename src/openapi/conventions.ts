import type { OpenAPIObject } from '@nestjs/swagger';
import { ID_PREFIXES } from '../common/ids.js';
import { API_PREFIX, OWN_WORKSPACE } from '../http/request/paths.js';
import { READ_ONLY_EXTENSION } from '../http/changes/change.decorators.js';
import { ADMIN_EXTENSION, PUBLIC_EXTENSION } from '../http/request/public.decorator.js';
import { SCOPE_EXTENSION } from '../http/request/scope.decorator.js';
import { METHODS, type Operation, operationsOf } from './operations.js';
import { documentProblems } from './problems.js';
import { tidySchemas } from './schemas.js';
import { EXAMPLES } from './examples.js';

type Parameter = Extract<NonNullable<Operation['parameters']>[number], { name: string }>;

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const KIND_OF_PARAMETER: Record<string, keyof typeof ID_PREFIXES> = {
  workspace_id: 'workspace',
  key_id: 'apiKey',
  schedule_id: 'schedule',
  job_id: 'job',
  alert_id: 'alert',
  webhook_id: 'webhook',
  delivery_id: 'delivery',
  media_id: 'media',
  export_id: 'export',
  match_id: 'match',
  session_id: 'session',
  search_id: 'search',
  erasure_id: 'erasure',
  suppression_id: 'suppression',
  dataset_id: 'dataset',
  pin_id: 'pin',
};

/** Name of the security scheme of admin operations. */
export const ADMIN_SECURITY = 'adminToken';

/** Sections of the documentation, in order, each with the tags that Nest derives from its controllers' names. */
export const SECTIONS = [
  {
    name: 'Workspace',
    description: 'The workspace that an API key belongs to.',
    controllers: ['Workspace', 'Audit'],
  },
  { name: 'API keys', description: 'Keys for programmatic access.', controllers: ['ApiKeys'] },
  { name: 'Schedules', description: 'Recurring scrape jobs.', controllers: ['Schedules'] },
  {
    name: 'Scrape jobs',
    description: 'Jobs that collect posts, comments and media of a forum or user.',
    controllers: ['Jobs', 'JobEvents', 'JobLog'],
  },
  { name: 'Plugins', description: 'Plugins that scrape jobs can run.', controllers: ['Plugins'] },
  { name: 'Sources', description: 'Where posts and comments come from.', controllers: ['Sources'] },
  { name: 'Posts', description: 'Search, filter and page stored posts.', controllers: ['Posts'] },
  { name: 'Media', description: 'Downloaded images and videos of posts.', controllers: ['Media'] },
  { name: 'Comments', description: 'Search, filter and page stored comments.', controllers: ['Comments'] },
  {
    name: 'Analytics',
    description: 'Exact counts over stored posts and comments.',
    controllers: ['Analytics', 'Explain', 'PinnedTrends', 'Queries', 'Recall', 'SharedTrends'],
  },
  {
    name: 'Exports',
    description: 'Posts and comments as files.',
    controllers: ['Exports', 'ExportJobs', 'RecurringExports'],
  },
  {
    name: 'Datasets',
    description: 'Results of a search at one time, kept for studies.',
    controllers: ['Labels', 'Datasets'],
  },
  {
    name: 'Alerts',
    description: 'Notifications about new posts that contain keywords.',
    controllers: ['Alerts', 'AlertDeliveries', 'Listening'],
  },
  {
    name: 'Reports',
    description: 'What changed in alerts and saved searches, once a period.',
    controllers: ['Reports'],
  },
  {
    name: 'Saved searches',
    description: 'Searches kept under a name.',
    controllers: ['Feeds', 'Searches', 'SearchStream'],
  },
  {
    name: 'Erasures',
    description: "Erasure of content at a person's request.",
    controllers: ['Erasures', 'Suppressions'],
  },
  {
    name: 'Matches',
    description: 'Matches of alerts, and their state of triage.',
    controllers: ['Matches'],
  },
  {
    name: 'Stories',
    description: 'Posts and comments about the same event or subject.',
    controllers: ['Stories'],
  },
  {
    name: 'Webhooks',
    description: 'HTTP callbacks for events of a workspace.',
    controllers: ['Webhooks', 'WebhookDeliveries'],
  },
  {
    name: 'Admin',
    description: 'Workspaces and the whole service, for operators with the admin token.',
    controllers: ['AdminWorkspaces', 'AdminAudit', 'AdminErasures', 'AdminOverview', 'AdminSession'],
  },
  {
    name: 'Sessions',
    description: 'Browser sign-in with an API key or an account.',
    controllers: ['Session', 'SignOn', 'Memberships', 'WorkspaceSessions'],
  },
  {
    name: 'Members',
    description: 'People who sign in with accounts.',
    controllers: ['Members', 'NotificationSettings', 'NotificationLinks', 'MyDeliveries'],
  },
  { name: 'Usage', description: 'Quotas and usage.', controllers: ['Usage'] },
  {
    name: 'Operations',
    description: 'Probes and metrics for operators.',
    controllers: ['Health', 'Metrics'],
  },
];

const SECTION_OF: ReadonlyMap<string, string> = new Map(
  SECTIONS.flatMap(({ name, controllers }) => controllers.map((tag) => [tag, name] as const)),
);

/** Adds the parts that all operations share, so that controllers do not repeat them. */
export function applyConventions(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation !== undefined) describeOperation(operation, method, path);
    }
  document.components = {
    ...document.components,
    headers: { ...document.components?.headers, ...HEADERS },
  };
  const names = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags ?? []));
  document.tags = document.tags?.filter(({ name }) => names.has(name));
  return tidySchemas(document);
}

function describeOperation(operation: Operation, method: string, path: string): void {
  const isPublic = operation[PUBLIC_EXTENSION] === true || !path.startsWith(`/${API_PREFIX}/`);
  const isAdmin = operation[ADMIN_EXTENSION] === true;
  const isRepeatable = method === 'post' && !isPublic && !isAdmin && operation[READ_ONLY_EXTENSION] !== true;
  delete operation[READ_ONLY_EXTENSION];
  delete operation[PUBLIC_EXTENSION];
  delete operation[ADMIN_EXTENSION];
  operation.tags = operation.tags?.map((tag) => SECTION_OF.get(tag) ?? tag);
  operation.parameters = [...parametersOf(operation, path, isRepeatable)];
  if (isPublic) operation.security = [];
  else if (isAdmin) operation.security = [{ [ADMIN_SECURITY]: [] }];
  else operation[SCOPE_EXTENSION] ??= method === 'get' ? 'read' : 'write';
  documentProblems(operation, { method, path, isPublic, isAdmin });
  if (isConditional(operation, method, path)) documentEntityTag(operation);
  for (const [status, response] of Object.entries(operation.responses))
    if (response !== undefined && !('$ref' in response)) {
      response.description ||= status === '201' ? 'Created' : 'OK';
      response.headers = {
        ...response.headers,
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        ...(isPublic || (Number(status) >= 400 && status !== '429') ? {} : RATE_LIMIT_HEADERS),
      };
      const examples = status.startsWith('2') ? EXAMPLES[operation.operationId ?? ''] : undefined;
      const json = response.content?.['application/json'];
      if (json !== undefined && examples?.response !== undefined) json.example = examples.response;
      for (const [type, example] of Object.entries(examples?.files ?? {}))
        if (response.content?.[type] !== undefined) response.content[type].example = example;
    }
  const body = operation.requestBody;
  if (body !== undefined && 'content' in body) {
    const example = EXAMPLES[operation.operationId ?? '']?.request;
    if (example !== undefined) for (const content of Object.values(body.content)) content.example = example;
  }
}

/** Whether responses carry an entity tag: those that are sent as a whole, not streamed. */
function isConditional({ responses }: Operation, method: string, path: string): boolean {
  const success = responses['200'];
  const content = success !== undefined && 'content' in success ? Object.keys(success.content ?? {}) : [];
  const isJson = content.length === 1 && content[0] === 'application/json';
  return method === 'get' && isJson && path.startsWith(`/${API_PREFIX}/`);
}

function documentEntityTag(operation: Operation): void {
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The `ETag` of a previous response: 304 without a body means that nothing has changed.',
      schema: { type: 'string' },
    },
  ];
  const success = operation.responses['200']!;
  if (!('$ref' in success)) success.headers = { ...success.headers, ETag: ENTITY_TAG };
  operation.responses['304'] = { description: 'Not modified', headers: { ETag: ENTITY_TAG } };
}

const ENTITY_TAG = { $ref: '#/components/headers/ETag' };

function* parametersOf(operation: Operation, path: string, isRepeatable: boolean): Generator<Parameter> {
  const own = (operation.parameters ?? []) as Parameter[];
  for (const [, name] of path.matchAll(/\{(\w+)\}/g))
    yield pathParameter(
      name!,
      path,
      own.find((parameter) => parameter.in === 'path' && parameter.name === name),
    );
  yield* own.filter((parameter) => parameter.in !== 'path');
  if (isRepeatable)
    yield {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A unique text of your choice. Repeating the request with the same key within 24 hours returns the first response.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    };
}

function pathParameter(name: string, path: string, own: Parameter | undefined): Parameter {
  const kind = KIND_OF_PARAMETER[name];
  if (kind === undefined) return { required: true, schema: { type: 'string' }, ...own, name, in: 'path' };
  const thing = kind === 'apiKey' ? 'API key' : kind === 'media' ? 'media file' : kind;
  const id = `(${ID_PREFIXES[kind]}_)?${UUID}`;
  // The admin token belongs to no workspace, so admin operations need an explicit workspace id.
  const takesCurrent = kind === 'workspace' && !path.startsWith(`/${API_PREFIX}/admin/`);
  return {
    name,
    in: 'path',
    required: true,
    description: takesCurrent
      ? `\`${OWN_WORKSPACE}\` for the API key's workspace, or its uuid, bare or with its prefix (\`ws_…\`)`
      : `The ${thing}'s uuid, bare or with its prefix (\`${ID_PREFIXES[kind]}_…\`)`,
    schema: { type: 'string', pattern: takesCurrent ? `^(${OWN_WORKSPACE}|${id})$` : `^${id}$` },
    // Other parameters get no example, because a request with a made-up id would return 404.
    ...(takesCurrent && { example: OWN_WORKSPACE }),
  };
}

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' as const } });

const HEADERS = {
  'X-Request-Id': {
    description:
      'Request id, which is also in the log of the service. A valid id sent by the client is kept.',
    schema: { type: 'string' as const },
  },
  'RateLimit-Limit': integerHeader(
    'Requests per minute allowed for the API key; absent when keys are not limited',
  ),
  'RateLimit-Remaining': integerHeader('Requests left in this minute'),
  'RateLimit-Reset': integerHeader('Seconds until the full limit is available again'),
  ETag: {
    description: 'Identifies this state of the response; see `If-None-Match`',
    schema: { type: 'string' as const },
  },
  'Retry-After': integerHeader('Seconds to wait before the next attempt'),
};

const RATE_LIMIT_HEADERS = Object.fromEntries(
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);
