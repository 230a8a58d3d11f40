import { dataOf, type Job, type NewJob, type ScrapingClient } from '../../client.js';
import {
  type Actions,
  type Call,
  type Command,
  isSet,
  noArguments,
  numberOf,
  onlyArgument,
  runAction,
  textOf,
} from '../command.js';
import { connect } from '../credentials.js';
import { EXIT_CODES } from '../failure.js';
import { counted, minuteOf, printRecord, printRecords, writeLine, jsonText, printable } from '../output.js';

const STATUSES = ['pending', 'running', 'completed', 'cancelled', 'failed'] as const;
/** Largest page of the service. */
const MAX_LISTED = 200;

/** `wss jobs`: lists, starts, shows and cancels scrape jobs. */
export const JOBS: Command = {
  name: 'jobs',
  summary: 'List, start, show and cancel scrape jobs',
  usage: [
    'jobs [list] [--status STATUS] [--target TARGET]',
    'jobs start TARGET [options]',
    'jobs show JOB_ID',
    'jobs cancel JOB_ID',
  ],
  words: ['list', 'start', 'show', 'cancel'],
  options: {
    status: { type: 'string', value: 'STATUS', choices: STATUSES, help: 'List jobs with this status' },
    target: { type: 'string', value: 'TARGET', help: 'List jobs of this target' },
    limit: {
      type: 'string',
      value: 'N',
      help: 'Jobs that are listed (default 20), or posts that are collected (default 100)',
    },
    type: {
      type: 'string',
      value: 'TYPE',
      choices: ['forum', 'user'],
      help: 'Kind of the target; default forum',
    },
    mode: {
      type: 'string',
      value: 'MODE',
      choices: ['full', 'history', 'monitor'],
      help: 'What is collected; default full',
    },
    media: { type: 'boolean', help: 'Also download images and videos' },
    'no-comments': { type: 'boolean', help: 'Collect posts only' },
    wait: { type: 'boolean', help: 'Follow the started job until it has ended' },
  },
  run: (call) => runAction(ACTIONS, call),
};

const ACTIONS: Actions = {
  list,
  start,
  show,
  cancel,
};

async function list(call: Call, rest: string[]): Promise<number> {
  noArguments(rest);
  const client = await connect(call.terminal);
  const status = textOf(call, 'status') as (typeof STATUSES)[number] | undefined;
  const target = textOf(call, 'target');
  const limit = Math.min(MAX_LISTED, numberOf(call, 'limit', 1) ?? 20);
  const { jobs } = await dataOf(
    client.api.GET('/api/v1/workspaces/{workspace_id}/jobs', {
      params: { path: client.path, query: { limit, ...(status && { status }), ...(target && { target }) } },
    }),
  );
  await printRecords(call, jobs, {
    ID: (job) => job.id,
    STATUS: (job) => job.status,
    TARGET: (job) => job.target,
    POSTS: (job) => job.posts_scraped ?? 0,
    COMMENTS: (job) => job.comments_scraped ?? 0,
    CREATED: (job) => minuteOf(job.created_at),
  });
  return EXIT_CODES.success;
}

async function start(call: Call, rest: string[]): Promise<number> {
  const target = onlyArgument(rest, 'A target');
  const client = await connect(call.terminal);
  const limit = numberOf(call, 'limit', 1);
  const job = await client.startJob({
    target,
    target_type: textOf(call, 'type') as NewJob['target_type'],
    mode: textOf(call, 'mode') as NewJob['mode'],
    limit,
    download_media: isSet(call, 'media'),
    scrape_comments: !isSet(call, 'no-comments'),
  });
  if (isSet(call, 'wait')) return follow(call, client, job.id);
  await printRecord(call, job, [lineOf(job)]);
  return EXIT_CODES.success;
}

async function show(call: Call, rest: string[]): Promise<number> {
  const id = onlyArgument(rest, 'The id of a job');
  const client = await connect(call.terminal);
  const job = await client.getJob(id);
  await printRecord(call, job, [lineOf(job), ...(job.error_message ? [job.error_message] : [])]);
  return EXIT_CODES.success;
}

async function cancel(call: Call, rest: string[]): Promise<number> {
  const id = onlyArgument(rest, 'The id of a job');
  const client = await connect(call.terminal);
  const answer = await dataOf(
    client.api.DELETE('/api/v1/workspaces/{workspace_id}/jobs/{job_id}', {
      params: { path: { ...client.path, job_id: id } },
    }),
  );
  await printRecord(call, answer, [`Cancelled ${id}`]);
  return EXIT_CODES.success;
}

/** Prints a job after every change until it has ended; the exit code is 1 unless it has completed. */
export async function follow(call: Call, client: ScrapingClient, id: string): Promise<number> {
  let job: Job | undefined;
  for await (job of client.followJob(id))
    await writeLine(call.terminal.stdout, call.json ? jsonText(job) : printable(lineOf(job)));
  if (job?.status === 'completed') return EXIT_CODES.success;
  throw new Error(`${id} has ${job?.status ?? 'ended'}${job?.error_message ? `: ${job.error_message}` : ''}`);
}

const lineOf = (job: Job): string =>
  [
    job.id,
    job.status,
    job.target,
    counted(job.posts_scraped, 'post'),
    counted(job.comments_scraped, 'comment'),
  ].join('  ');
