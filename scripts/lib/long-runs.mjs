import { spawnSync } from 'node:child_process';
import { ROOT } from './prepare.mjs';

/**
 * The specs of `test/faults` that put load on the service or repeat recorded walks, by the folders and files that make
 * them necessary when they change. Those that are not named here do the same in every run, and always run.
 */
export const LONG_RUNS = {
  'package-lock.json': ['event-loop', 'topology', 'fuzz'],
  'src/common': ['event-loop', 'schedulers', 'streams', 'topology', 'delivery-fairness'],
  'src/database': ['event-loop', 'fresh-rows', 'schedulers', 'streams', 'topology', 'fuzz'],
  'src/http': ['event-loop', 'fuzz'],
  'src/openapi': ['fuzz'],
  'src/text': ['event-loop', 'fresh-rows', 'fuzz'],
  'src/enrichment': ['recorded-service'],
  'src/platforms': ['recorded-service', 'recorded-jobs'],
  'src/platforms/bluesky': ['streams'],
  'src/sandbox': ['topology'],
  'src/infrastructure/outbound-http': ['recorded-jobs', 'delivery-fairness'],
  'src/infrastructure/queue': ['topology'],
  'src/infrastructure/rate-limit': ['recorded-jobs'],
  'src/alerts': ['topology'],
  'src/collect/jobs': ['event-loop', 'topology', 'recorded-service'],
  'src/collect/schedules': ['schedulers', 'topology'],
  'src/collect/scraping': ['recorded-service', 'recorded-jobs', 'topology'],
  'src/collect/streams': ['streams'],
  'src/content/analytics': ['event-loop'],
  'src/content/comments': ['event-loop', 'recorded-service'],
  'src/content/posts': ['event-loop', 'fresh-rows', 'recorded-service'],
  'src/deliver': ['delivery-fairness', 'topology'],
  'src/messages/outbox': ['delivery-fairness', 'topology'],
  'src/search': ['event-loop', 'fresh-rows', 'fuzz'],
  'src/takeout/exports': ['event-loop'],
  'test/recordings': ['recorded-service', 'recorded-jobs'],
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

/** The long runs to leave out since a commit: none without a commit, or when Git cannot compare with it. */
export function leftOutSince(base, folder = ROOT) {
  if (!base) return [];
  const { status, stdout } = spawnSync('git', ['diff', '--name-only', base, '--'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? leftOut(stdout.split('\n')) : [];
}

/** The path of a spec's compiled file, from the compiled tree. */
export const specOf = (name) => `test/faults/${name}.spec.js`;
