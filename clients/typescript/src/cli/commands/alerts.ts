import { type components, dataOf, type ScrapingClient } from '../../client.js';
import {
  type Actions,
  type Call,
  type Command,
  listOf,
  noArguments,
  numberOf,
  onlyArgument,
  runAction,
  textOf,
  UsageError,
} from '../command.js';
import { connect } from '../credentials.js';
import { EXIT_CODES } from '../failure.js';
import { minuteOf, printRecord, printRecords } from '../output.js';

type NewAlert = components['schemas']['CreateAlertDto'];
type Match = components['schemas']['MatchDto'];

const STATES = ['new', 'seen', 'kept', 'dismissed'] as const;
/** Largest page of the service. */
const MAX_LISTED = 200;

/** `wss alerts`: lists, creates, pauses and resumes alerts, and lists what they matched. */
export const ALERTS: Command = {
  name: 'alerts',
  summary: 'List, create, pause and resume alerts, and list what they matched',
  usage: [
    'alerts [list]',
    'alerts matches [--alert ALERT_ID] [--state STATE] [--limit N]',
    'alerts create NAME (--query QUERY | --keyword WORD) (--email ADDRESS | --webhook URL)',
    'alerts pause ALERT_ID',
    'alerts resume ALERT_ID',
  ],
  words: ['list', 'matches', 'create', 'pause', 'resume'],
  options: {
    alert: { type: 'string', value: 'ALERT_ID', help: 'List matches of this alert' },
    state: { type: 'string', value: 'STATE', choices: STATES, help: 'List matches in this state' },
    limit: { type: 'string', value: 'N', help: 'Matches that are listed; default 20' },
    of: {
      type: 'string',
      value: 'KIND',
      choices: ['posts', 'comments', 'all'],
      help: 'What a new alert matches; default posts',
    },
    query: { type: 'string', value: 'QUERY', help: 'Query of a new alert' },
    keyword: { type: 'string', value: 'WORD', multiple: true, help: 'Keyword of a new alert' },
    forum: {
      type: 'string',
      value: 'NAME',
      multiple: true,
      help: 'A new alert watches this forum; default all',
    },
    email: { type: 'string', value: 'ADDRESS', help: 'A new alert notifies this address' },
    webhook: { type: 'string', value: 'URL', help: 'A new alert notifies this URL' },
  },
  run: (call) => runAction(ACTIONS, call),
};

const ACTIONS: Actions = {
  list,
  matches,
  create,
  pause: (call, rest) => setActive(call, rest, false),
  resume: (call, rest) => setActive(call, rest, true),
};

async function list(call: Call, rest: string[]): Promise<number> {
  noArguments(rest);
  const client = await connect(call.terminal);
  const alerts = await dataOf(
    client.api.GET('/api/v1/workspaces/{workspace_id}/alerts', {
      params: { path: client.path, query: { view: 'full' } },
    }),
  );
  await printRecords(call, alerts, {
    ID: (alert) => alert.id,
    NAME: (alert) => alert.name,
    STATE: (alert) => (alert.is_active ? 'active' : 'paused'),
    TRIGGERED: (alert) => alert.trigger_count,
    CHANNEL: (alert) => alert.channel,
    FINDS: (alert) => [alert.query, ...alert.keywords].filter(Boolean).join(', '),
  });
  return EXIT_CODES.success;
}

async function matches(call: Call, rest: string[]): Promise<number> {
  noArguments(rest);
  const client = await connect(call.terminal);
  const [alert, state] = [
    textOf(call, 'alert'),
    textOf(call, 'state') as (typeof STATES)[number] | undefined,
  ];
  const limit = Math.min(MAX_LISTED, numberOf(call, 'limit', 1) ?? 20);
  const page = await dataOf(
    client.api.GET('/api/v1/workspaces/{workspace_id}/matches', {
      params: {
        path: client.path,
        query: { limit, ...(alert && { alert_id: alert }), ...(state && { state }) },
      },
    }),
  );
  await printRecords(call, page.matches, {
    MATCHED: (match) => minuteOf(match.matched_at),
    STATE: (match) => match.state,
    WHERE: ({ post, comment }) => post?.forum ?? comment?.post_id ?? '',
    TEXT: textOfMatch,
    ID: (match) => match.id,
  });
  return EXIT_CODES.success;
}

const textOfMatch = ({ post, comment }: Match): string => post?.title ?? comment?.body ?? 'no longer stored';

async function create(call: Call, rest: string[]): Promise<number> {
  const name = onlyArgument(rest, 'A name');
  const [query, keywords] = [textOf(call, 'query'), listOf(call, 'keyword')];
  if (query === undefined && keywords === undefined) throw new UsageError('--query or --keyword is required');
  const alert: NewAlert = {
    name,
    ...(query !== undefined && { query }),
    ...(keywords !== undefined && { keywords }),
    forums: listOf(call, 'forum') ?? [],
    of: (textOf(call, 'of') ?? 'posts') as NewAlert['of'],
    ...channelOf(call),
  };
  const client = await connect(call.terminal);
  const created = await dataOf(
    client.api.POST('/api/v1/workspaces/{workspace_id}/alerts', {
      params: { path: client.path, header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: alert,
    }),
  );
  await printRecord(call, created, [`Created ${created.id}`]);
  return EXIT_CODES.success;
}

function channelOf(call: Call): Pick<NewAlert, 'channel' | 'channel_config'> {
  const [email, webhook] = [textOf(call, 'email'), textOf(call, 'webhook')];
  if ((email === undefined) === (webhook === undefined))
    throw new UsageError('Give one of --email and --webhook');
  return email === undefined
    ? { channel: 'webhook', channel_config: { webhook_url: webhook } }
    : { channel: 'email', channel_config: { to: email } };
}

async function setActive(call: Call, rest: string[], isActive: boolean): Promise<number> {
  const id = onlyArgument(rest, 'The id of an alert');
  const client: ScrapingClient = await connect(call.terminal);
  const alert = await dataOf(
    client.api.PATCH('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
      params: { path: { ...client.path, alert_id: id } },
      body: { is_active: isActive },
    }),
  );
  await printRecord(call, alert, [`${isActive ? 'Resumed' : 'Paused'} ${id}`]);
  return EXIT_CODES.success;
}
