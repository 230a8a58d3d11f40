import { parseArgs } from 'node:util';
import { parseId } from '../../src/common/ids.js';
import { UsageError } from '../../src/cli/run-command.js';
import { runningServers } from '../../src/launcher/embedded-servers.js';
import { secondsOf } from './support/measure.js';
import { type Seeding, seedWorkspace } from './support/seeded-rows.js';

/**
 * Fills a workspace with realistic rows. Without `--into` and `DATABASE_URL`, fills the Postgres of the service that
 * runs on `DATA_DIR`. Arguments: see {@link USAGE}.
 */
export async function run(args: string[] = []): Promise<Record<string, number>> {
  const { into, ...seeding } = parseOptions(args);
  const databaseUrl = into ?? (await ownDatabase());
  const seconds = await secondsOf(() => seedWorkspace(databaseUrl, seeding));
  const { posts, comments } = seeding;
  return {
    posts,
    comments,
    seconds: Math.round(seconds),
    rows_per_second: Math.round((posts + comments) / seconds),
  };
}

/** What `npm run bench` prints after a mistake in the arguments. */
export const USAGE =
  'usage: npm run bench -- seed --workspace ID --posts N --comments M [--seed S] [--batch B] [--into DATABASE_URL]';

function parseOptions(args: string[]): Required<Seeding> & { into: string | undefined } {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      posts: { type: 'string', default: '0' },
      comments: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      batch: { type: 'string', default: '20000' },
      into: { type: 'string' },
    },
  });
  const workspace = parseId('workspace', values.workspace ?? '');
  if (workspace === null) throw new UsageError('--workspace needs the id of a workspace');
  const count = (name: 'posts' | 'comments' | 'seed' | 'batch', least = 0): number => {
    const value = /^\d+$/.test(values[name]) ? Number(values[name]) : NaN;
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new UsageError(`--${name} needs a whole number from ${least}`);
  };
  const [posts, comments] = [count('posts'), count('comments')];
  if (comments > 0 && posts === 0) throw new UsageError('--comments needs --posts');
  const into = values.into ?? (process.env.DATABASE_URL || undefined);
  return { workspace, posts, comments, seed: count('seed'), batch: count('batch', 1), into };
}

async function ownDatabase(): Promise<string> {
  const running = await runningServers(process.env.DATA_DIR || '.data');
  if (running !== null) return running.databaseUrl;
  throw new UsageError(
    'start the service on this DATA_DIR first, or name its Postgres by --into or DATABASE_URL',
  );
}
