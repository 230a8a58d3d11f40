import type { OpenAPIObject } from '@nestjs/swagger';
import { contractTexts } from './write.js';

/**
 * What clients may send by the interface: operation, field (`!` if required), type, range of a number or of a text's length,
 * default, values.
 */
const SENT = `
POST /api-keys            name!             string    1..255
POST /api-keys            scopes            string[]  =["read"]
POST /schedules           target!           string
POST /schedules           target_type       string    ="forum" forum|user
POST /schedules           mode              string    ="history" full|history|monitor
POST /schedules           cron_expression!  string
POST /schedules           config            object
PATCH /schedules/{id}     is_active         boolean
PATCH /schedules/{id}     cron_expression   string
PATCH /schedules/{id}     mode              string    full|history|monitor
PATCH /schedules/{id}     config            object
POST /jobs                target!           string    1..255
POST /jobs                target_type       string    ="forum" forum|user
POST /jobs                mode              string    ="full" full|history|monitor
POST /jobs                limit             integer   1..10000 =100
POST /jobs                download_media    boolean   =true
POST /jobs                scrape_comments   boolean   =true
POST /jobs                plugins           string[]  =[]
GET /jobs                 status            string    pending|running|completed|cancelled
GET /jobs                 limit             integer   1..200 =50
GET /jobs                 offset            integer   0.. =0
GET /posts                q                 string
GET /posts                forum             string
GET /posts                author            string
GET /posts                min_score         integer
GET /posts                max_score         integer
GET /posts                post_type         string    link|self|image|video
GET /posts                sentiment         string    positive|negative|neutral
GET /posts                sort_by           string    ="created_utc"
GET /posts                sort_order        string    ="desc" asc|desc
GET /posts                limit             integer   1..200 =50
GET /posts                cursor            string
GET /comments             post_id           string
GET /comments             author            string
GET /comments             min_score         integer
GET /comments             q                 string
GET /comments             limit             integer   1..200 =50
GET /comments             offset            integer   0.. =0
GET /exports/posts        format            string    ="csv" csv|json
GET /exports/posts        q                 string
GET /exports/posts        forum             string
GET /exports/posts        author            string
GET /exports/posts        min_score         integer
GET /exports/posts        max_score         integer
GET /exports/posts        post_type         string    link|self|image|video
GET /exports/posts        sentiment         string    positive|negative|neutral
GET /exports/posts        sort_by           string    ="created_utc"
GET /exports/posts        sort_order        string    ="desc" asc|desc
POST /alerts              name!             string    1..255
POST /alerts              keywords!         string[]
POST /alerts              forums            string[]
POST /alerts              channel           string    ="email" email|chat_a|chat_b|webhook
POST /alerts              channel_config    object
POST /webhooks            url!              string
POST /webhooks            events            string[]  =["job.completed"] job.completed|job.failed|alert.triggered
POST /webhooks            secret            string
`;

/** Where the contract allows less than the interface, on purpose: `docs/decisions.md` has the reasons. */
const NARROWED: Record<string, string> = {
  'POST /api-keys scopes': 'minItems 1, enum',
  'POST /schedules target': 'minLength 1, maxLength 255',
  'POST /jobs download_media': 'default undefined',
  'POST /jobs scrape_comments': 'default undefined',
  'POST /jobs plugins': 'maxItems 20',
  'GET /jobs offset': 'maximum 2147483647',
  'GET /comments offset': 'maximum 2147483647',
  'POST /alerts keywords': 'minItems 1, maxItems 100, items.minLength 1, items.maxLength 200',
  'POST /alerts forums': 'maxItems 100, items.minLength 1, items.maxLength 255',
  'POST /webhooks url': 'maxLength 2048',
  'POST /webhooks events': 'minItems 1',
  'POST /webhooks secret': 'minLength 1, maxLength 256',
};

/** The same for fields of every list: columns have 32 bits, and a query 4,000 characters. */
const NARROWED_FILTERS: Record<string, string> = {
  q: 'maxLength 4000',
  forum: 'maxLength 255',
  author: 'maxLength 255',
  post_id: 'maxLength 255',
  cursor: 'maxLength 1000',
  min_score: 'minimum -2147483648, maximum 2147483647',
  max_score: 'minimum -2147483648, maximum 2147483647',
  sort_by: 'enum',
};

/** The fields of each record of the interface; a type ends in `?` where it can be null. */
const RECORDS = `
GET /api-keys             id string, name string, key_prefix string, scopes string[], is_active boolean, last_used_at time?, created_at time
POST /api-keys            id string, name string, key_prefix string, key string, scopes string[], is_active boolean, last_used_at time?, created_at time
GET /schedules            id string, workspace_id string, target string, target_type string, mode string, config object, cron_expression string, is_active boolean, last_run_at time?, next_run_at time, run_count integer, created_at time
POST /schedules           id string, workspace_id string, target string, target_type string, mode string, config object, cron_expression string, is_active boolean, last_run_at time?, next_run_at time, run_count integer, created_at time
PATCH /schedules/{id}     id string, target string, is_active boolean, cron_expression string, run_count integer
POST /jobs                id string, workspace_id string, target string, target_type string, mode string, config object, status string, started_at time?, completed_at time?, duration_seconds number?, posts_scraped integer, comments_scraped integer, media_downloaded integer, error_message string?, progress object, created_at time
GET /jobs/{id}            id string, workspace_id string, target string, target_type string, mode string, config object, status string, started_at time?, completed_at time?, duration_seconds number?, posts_scraped integer, comments_scraped integer, media_downloaded integer, error_message string?, progress object, created_at time
GET /jobs                 jobs object[], total integer, has_more boolean
GET /jobs jobs            id string, target string, target_type string, status string, posts_scraped integer, comments_scraped integer, created_at time
GET /posts                posts object[], total integer, cursor string, has_more boolean
GET /posts posts          id string, forum string, title string, author string, created_utc time, score integer, upvote_ratio number, num_comments integer, selftext string, post_type string, sentiment_label string, sentiment_score number
GET /posts/{id}           id string, workspace_id string, forum string, title string, author string, created_utc time, permalink string, url string?, score integer, upvote_ratio number, num_comments integer, selftext string, post_type string, is_nsfw boolean, is_spoiler boolean, flair string, total_awards integer, has_media boolean, media_urls string[], sentiment_score number, sentiment_label string, keywords string[], scraped_at time
GET /posts/forums/list    forum string, post_count integer
GET /comments             comments object[], total integer, has_more boolean
GET /comments comments    id integer, comment_id string, post_id string, post_permalink string, parent_id string, author string, body string, score integer, created_utc time, depth integer, is_submitter boolean, sentiment_score number, sentiment_label string, scraped_at time
GET /alerts               id string, name string, keywords string[], forums string[], channel string, channel_config object, is_active boolean, last_triggered_at time?, trigger_count integer, created_at time
POST /alerts              id string, name string, keywords string[], forums string[], channel string, channel_config object, is_active boolean, last_triggered_at time?, trigger_count integer, created_at time
GET /webhooks             id string, url string, events string[], is_active boolean, last_triggered_at time?, failure_count integer, created_at time
POST /webhooks            id string, url string, events string[], is_active boolean, last_triggered_at time?, failure_count integer, created_at time
DELETE /api-keys/{id}     message string
DELETE /schedules/{id}    message string
DELETE /jobs/{id}         message string
DELETE /alerts/{id}       message string
DELETE /webhooks/{id}     message string
`;

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  enum?: string[];
  properties?: Record<string, Schema>;
  required?: string[];
  [limit: string]: unknown;
}
interface Operation {
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}

const LIMITS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['pattern', 'format', 'minItems', 'maxItems', 'uniqueItems'],
];

describe('the contract beside the interface', () => {
  let document: OpenAPIObject;
  let byPath: Map<string, Operation>;

  beforeAll(async () => {
    document = JSON.parse((await contractTexts()).openApi) as OpenAPIObject;
    byPath = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]): [string, Operation] => [
          `${method.toUpperCase()} ${path.split('{workspace_id}')[1]?.replace(/\{\w+\}/, '{id}')}`,
          operation as Operation,
        ]),
      ),
    );
  });

  /** A schema without references; of alternatives, the first. */
  function resolved(schema: Schema): Schema {
    const { $ref, anyOf, allOf } = schema;
    if ($ref !== undefined)
      return resolved(document.components!.schemas![$ref.split('/').at(-1)!] as unknown as Schema);
    const first = anyOf?.[0] ?? allOf?.[0];
    return first === undefined ? schema : resolved(first);
  }
  function typeOf(given: Schema): string {
    const { type, items, format } = resolved(given);
    const [name, none] = [type].flat();
    if (name === 'array') return `${typeOf(items!)}[]`;
    return (format === 'date-time' ? 'time' : name!) + (none === 'null' ? '?' : '');
  }
  function sentField(operation: Operation, name: string): { schema: Schema; required: boolean } | undefined {
    const parameter = operation.parameters.find((one) => one.name === name && one.in !== 'header');
    if (parameter !== undefined)
      return { schema: resolved(parameter.schema), required: parameter.required ?? false };
    const body = operation.requestBody?.content['application/json']?.schema;
    const { properties, required = [] } = body === undefined ? {} : resolved(body);
    const schema = properties?.[name];
    // A default beside a reference is a part of the field.
    return schema && { schema: { ...resolved(schema), ...schema }, required: required.includes(name) };
  }

  it.each(rowsOf(SENT))('%s takes all values of %s that the interface allows', (path, field, rest) => {
    const [type, ...facts] = rest!.split(/\s+/) as [string, ...string[]];
    const name = field.replace('!', '');
    const found = sentField(byPath.get(path)!, name)!;
    expect(typeOf(found.schema)).toBe(type);
    // Only a field that must be sent may be required.
    expect([field.endsWith('!'), true]).toContain(found.required || field.endsWith('!'));
    const allowed = NARROWED[`${path} ${name}`] ?? (path.startsWith('GET') && NARROWED_FILTERS[name]) ?? '';
    expect(narrowings(found.schema, type, facts).join(', ')).toBe(allowed || '');
  });

  it.each(rowsOf(RECORDS))('%s always has exactly the fields of the interface', (place, fields) => {
    const [, path, list] = /^(\S+ \S+) ?(\w*)$/.exec(place)!;
    const { responses } = byPath.get(path!)!;
    const answer = resolved((responses['200'] ?? responses['201'])!.content['application/json']!.schema);
    const whole = answer.type === 'array' ? resolved(answer.items!) : answer;
    const record = list ? resolved(whole.properties![list]!.items!) : whole;
    const always = record.required!.map((name) => `${name} ${typeOf(record.properties![name]!)}`);
    expect(always.toSorted()).toEqual(fields.split(', ').toSorted());
  });
});

/** The columns of each row: place, name or names, the rest. */
function rowsOf(table: string): [string, string, string?][] {
  return table
    .trim()
    .split('\n')
    .map((row) => row.split(/ {2,}/))
    .map(([place, name, ...rest]) => [place!, name!, rest.join(' ')]);
}

/** What a schema refuses that the interface allows, as `keyword value`; a default that differs, too. */
function narrowings(schema: Schema, type: string, facts: string[]): string[] {
  const range = facts.map((fact) => /^(\d*)\.\.(\d*)$/.exec(fact)).find((found) => found !== null);
  const [least, most] = type === 'string' ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
  const allowed = new Map([
    [least, range?.[1]],
    [most, range?.[2]],
  ]);
  const limitsOf = (one: Schema, prefix: string): string[] =>
    LIMITS.map((limit) => [limit, one[limit] as number | string | boolean | undefined] as const)
      .filter(([limit, value]) => value !== undefined && String(value) !== allowed.get(limit))
      .map(([limit, value]) => `${prefix}${limit} ${value}`);
  const items = schema.items ?? {};
  const values = schema.enum ?? items.enum;
  const known = facts.find((fact) => /^[\w.]+\|/.test(fact))?.split('|');
  const isWithoutAll = known === undefined || !known.every((value) => values?.includes(value));
  const ofDefault = facts.find((fact) => fact.startsWith('='))?.slice(1);
  const hasDefault = ofDefault === undefined || JSON.stringify(schema.default) === ofDefault;
  return [
    ...limitsOf(schema, ''),
    ...limitsOf(items, 'items.'),
    ...(values !== undefined && isWithoutAll ? ['enum'] : []),
    ...(hasDefault ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}
