import { spawnSync } from 'node:child_process';
import { ROOT } from './prepare.mjs';

/**
 * The specs of `test/faults` that put load on the service, repeat recorded walks or break things at any moment, by the
 * folders and files that make them necessary when they change. Those that are not named here always run.
 */
export const LONG_RUNS = {
  'package-lock.json': ['event-loop', 'topology', 'fuzz'],
  'src/common': ['event-loop', 'schedulers', 'streams', 'topology', 'delivery-fairness'],
  'src/database': [
    'event-loop',
    'fresh-rows',
    'schedulers',
    'streams',
    'topology',
    'fuzz',
    'deliveries',
    'digests',
    'segments',
    'totals',
    'scraping',
  ],
  'src/http': ['event-loop', 'fuzz'],
  'src/openapi': ['fuzz'],
  'src/text': ['event-loop', 'fresh-rows', 'fuzz', 'segments'],
  'src/enrichment': ['recorded-service'],
  'src/platforms': ['recorded-service', 'recorded-jobs'],
  'src/platforms/http': ['recorded-walks', 'recorded-hackernews'],
  'src/platforms/reddit': ['recorded-walks', 'scraping'],
  'src/platforms/hackernews': ['recorded-hackernews'],
  'src/platforms/bluesky': ['streams'],
  'src/sandbox': ['topology'],
  'src/infrastructure/outbound-http': ['recorded-jobs', 'delivery-fairness', 'deliveries', 'amqp', 'nats'],
  'src/infrastructure/queue': ['topology', 'scraping'],
  'src/infrastructure/rate-limit': ['recorded-jobs', 'recorded-walks', 'recorded-hackernews'],
  'src/alerts': ['topology', 'digests'],
  'src/collect/jobs': ['event-loop', 'topology', 'recorded-service', 'scraping'],
  'src/collect/schedules': ['schedulers', 'topology'],
  'src/collect/scraping': [
    'recorded-service',
    'recorded-jobs',
    'topology',
    'scraping',
    'recorded-walks',
    'recorded-hackernews',
  ],
  'src/collect/streams': ['streams', 'stream-hour'],
  'src/search/matching': ['stream-hour'],
  'src/content/analytics': ['event-loop'],
  'src/content/comments': ['event-loop', 'recorded-service', 'segments', 'totals'],
  'src/content/posts': ['event-loop', 'fresh-rows', 'recorded-service', 'segments', 'totals'],
  'src/deliver': ['delivery-fairness', 'topology', 'deliveries', 'digests', 'amqp', 'nats'],
  'src/messages/outbox': ['delivery-fairness', 'topology', 'deliveries', 'digests'],
  'src/search': ['event-loop', 'fresh-rows', 'fuzz', 'segments'],
  'src/takeout/exports': ['event-loop'],
  'test/recordings': ['recorded-service', 'recorded-jobs', 'recorded-walks', 'recorded-hackernews'],
  'test/isolation/operation-cases.ts': ['event-loop'],
};

/** Arbitrary requests without a long run. */
export const FEW_ARBITRARY_REQUESTS = 1_000;

/** Their names. */
export const LONG_RUN_NAMES = [...new Set(Object.values(LONG_RUNS).flat())].sort();

const isIn = (folder) => (file) => file === folder || file.startsWith(`${folder}/`);

/** The long runs that none of the changed files makes necessary, by the names of their specs. */
export function leftOut(changed) {
  const due = new Set(
    Object.entries(LONG_RUNS)
      .filter(([folder]) => changed.some(isIn(folder)))
      .flatMap(([, names]) => names),
  );
  return LONG_RUN_NAMES.filter((name) => !due.has(name) && !changed.includes(`test/faults/${name}.spec.ts`));
}

/** The long runs to leave out since a commit: all without a commit, and none when Git cannot compare with it. */
export function leftOutSince(base, folder = ROOT) {
  if (!base) return LONG_RUN_NAMES;
  const { status, stdout } = spawnSync('git', ['diff', '--name-only', base, '--'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? leftOut(stdout.split('\n')) : [];
}

/** The path of a spec's compiled file, from the compiled tree. */
export const specOf = (name) => `test/faults/${name}.spec.js`;
