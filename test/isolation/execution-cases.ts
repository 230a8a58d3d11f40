import { randomUUID } from 'node:crypto';
import { LEASE_OWNER, MEDIA_URL, ONLY_IN_B, type RepositoryCase, VERSION_OF_B } from './repository-case.js';

/** Methods that execute jobs. */
export const EXECUTION_CASES: Record<string, RepositoryCase> = {
  'JobProgressRepository.findRunning': { foreign: (w, { b, tx }) => [w, b.jobs.running, tx] },
  'JobProgressRepository.addProgress': { foreign: (w, { b }) => [w, b.jobs.running, { requests: 1 }] },
  'JobProgressRepository.complete': {
    foreign: (w, { b, tx }) => [w, b.jobs.running, { status: 'completed' }, {}, tx],
  },
  'JobProgressRepository.findGapStart': {
    foreign: (w) => [{ workspaceId: w, targetType: 'forum', target: ONLY_IN_B, id: randomUUID() }],
  },
  'JobLogRepository.append': {
    own: (w, { b }) => [
      w,
      b.jobs.running,
      [{ at: new Date(), level: 'info', event: 'a', message: 'b', details: {} }],
    ],
  },
  'JobLogRepository.list': { foreign: (w, { b }) => [w, b.jobs.completed] },
  'JobLogRepository.removeAll': {
    foreign: (w, { b, tx }) => [[{ workspaceId: w, id: b.jobs.completed }], tx],
  },
  'JobWorkersRepository.beat': { crosses: 'workers serve all workspaces' },
  'JobWorkersRepository.remove': { crosses: 'workers serve all workspaces' },
  'JobWorkersRepository.list': { crosses: 'workers serve all workspaces' },
  'JobWorkersRepository.state': { crosses: 'workers serve all workspaces' },
  'JobTurnsRepository.positions': { own: (w) => [w] },
  'JobTurnsRepository.startNext': {
    crosses: 'workspaces take turns; the caller holds the lock of all claims',
  },
  'ScheduledJobsRepository.insert': { own: (_, { entity, tx }) => [[entity('job')], tx] },
  'ScheduledJobsRepository.states': {
    foreign: (w, { b, tx }) => [[{ workspaceId: w, id: b.jobs.completed }], tx],
  },

  'JobExecutionsRepository.lockClaims': { crosses: 'claims of all workspaces take turns' },
  'JobExecutionsRepository.list': { crosses: 'claims count the executions of all workspaces' },
  'JobExecutionsRepository.listLeases': { crosses: "the operator's overview" },
  'JobExecutionsRepository.exists': { foreign: (w, { b, tx }) => [w, b.jobs.running, tx] },
  'JobExecutionsRepository.create': {
    own: (w, { b, tx }) => [w, b.jobs.pending, { isSmall: true, owner: LEASE_OWNER, leaseMs: 60_000 }, tx],
  },
  'JobExecutionsRepository.takeOver': {
    foreign: (w, { b, tx }) => [w, b.jobs.cancelled, { owner: randomUUID(), leaseMs: 60_000 }, tx],
  },
  'JobExecutionsRepository.hasLive': { foreign: (w) => [w] },
  'JobExecutionsRepository.prolong': { foreign: (w, { b }) => [w, b.jobs.running, LEASE_OWNER, 3_600_000] },
  'JobExecutionsRepository.release': { foreign: (w, { b }) => [w, b.jobs.running, LEASE_OWNER, true] },
  'JobExecutionsRepository.remove': { foreign: (w, { b, tx }) => [w, b.jobs.running, LEASE_OWNER, tx] },
  'JobExecutionsRepository.removeAll': { own: (w, { tx }) => [w, tx] },

  'KeywordFrequenciesRepository.read': { foreign: (w) => [w, VERSION_OF_B] },
  'KeywordFrequenciesRepository.reset': { own: (w, { tx }) => [w, Buffer.from('x'), tx] },
  'KeywordFrequenciesRepository.append': { own: (w, { tx }) => [w, () => Buffer.from('x'), tx] },

  'WorkListRepository.addPosts': {
    foreign: (w, { b, tx }) => [
      w,
      b.jobs.running,
      LEASE_OWNER,
      {
        posts: [{ id: 't3_listed', position: 9, commentsPending: true, phraseKeys: null }],
        media: [],
        checkpoint: { version: 1 },
      },
      tx,
    ],
  },
  'WorkListRepository.saveTrees': {
    foreign: (w, { b, tx }) => [
      w,
      b.jobs.running,
      LEASE_OWNER,
      [{ postId: b.postId, comments: 3, missing: 0, done: true }],
      tx,
    ],
  },
  'WorkListRepository.completeMedia': {
    foreign: (w, { b, tx }) => [
      w,
      b.jobs.running,
      LEASE_OWNER,
      { postId: b.postId, url: MEDIA_URL, audioUrls: [], fallbackUrl: null },
      9,
      tx,
    ],
  },
  'WorkListRepository.storedPosts': { foreign: (w, { b }) => [w, b.jobs.running] },
  'WorkListRepository.pendingTrees': { foreign: (w, { b }) => [w, b.jobs.running] },
  'WorkListRepository.pendingMedia': { foreign: (w, { b }) => [w, b.jobs.running] },
  'WorkListRepository.downloadedBytes': { foreign: (w, { b }) => [w, b.jobs.running] },
  'WorkListRepository.phraseKeys': { foreign: (w, { b }) => [w, b.jobs.running, '', 100] },
  'WorkListRepository.removeAll': {
    foreign: (w, { b, tx }) => [[{ workspaceId: w, id: b.jobs.running }], tx],
  },
  'WorkListRepository.complete': { foreign: (w, { b, tx }) => [w, b.jobs.running, tx] },
};
