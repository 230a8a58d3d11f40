import { SOURCES } from '../../src/platforms/registry.js';
import { randomUUID } from 'node:crypto';
import { EXECUTION_CASES } from './execution-cases.js';
import { RIGHTS_CASES } from './rights-cases.js';
import {
  FINGERPRINT_OF_B,
  LEASE_OWNER,
  MEDIA_URL,
  ONLY_IN_B,
  type Probe,
  type RepositoryCase,
  SESSION_OF_B,
} from './repository-case.js';

const PAGE = { limit: 100, offset: 0 };
const NEWEST = { sort_by: 'created_utc', sort_order: 'desc' };
const NOW = () => new Date();
const OF_OPERATORS = 'sessions and accounts of operators belong to no workspace';
/** Stored for `b` by the fixture. */
const STORY_KEY = '45';
const STREAMS = 'what streams bring is shared by all workspaces, and public';
/** A position before every row. */
const BEGINNING = { time: '1970-01-01T00:00:00Z', id: '' };
const hook = (workspaceId: string, { b }: Probe) => ({ workspaceId, kind: 'webhook', id: b.webhookId });
const newHook = ({ b, eventId }: Probe) => ({
  kind: 'webhook',
  id: b.webhookId,
  event: { id: eventId, type: 'job.completed' },
});
const plan = (workspaceId: string, { b }: Probe) => ({
  schedule: { workspaceId, id: b.scheduleId },
  dueAt: NOW(),
  nextRunAt: NOW(),
  job: null,
  skip: { reason: 'timing_unusable', detail: 'a test' },
  pause: true,
});
/** The workspace itself when it is `b`, otherwise one without rows, whose counts are 0. */
const orEmpty = (workspaceId: string, { b }: Probe): string =>
  workspaceId === b.workspaceId ? workspaceId : randomUUID();
const COUNT: RepositoryCase = { foreign: (w, probe) => [orEmpty(w, probe)] };
const hasNoField = (result: object) => Object.keys(result).length === 0;
const IN_LOCKED_BATCHES =
  'serves the queue of all workspaces; every row it returns or changes names its workspace';

/** Every public method of every repository, by `Class.method`; the tests fail for a method without an entry. */
export const REPOSITORY_CASES: Record<string, RepositoryCase> = {
  'AlertMatchesRepository.insert': {
    own: (w, { b, tx }) => [
      w,
      b.jobs.completed,
      [{ alertId: b.alertId, postId: 't3_new', keywords: ['a'] }],
      tx,
    ],
  },
  'AlertMatchesRepository.deleteOlderThan': { crosses: 'prunes the matches of all workspaces by age' },
  'AlertMatchesRepository.list': { foreign: (w, { b }) => [w, b.alertId, PAGE] },
  'AlertMatchesRepository.count': { foreign: (w, { b }) => [w, b.alertId] },

  'StoriesRepository.findKeys': { own: (w, { tx }) => [w, [STORY_KEY], tx] },
  'StoriesRepository.addKeys': {
    own: (w, { tx }) => [w, [{ key: '1', recordId: 't3_new', language: 'en' }], tx],
  },
  'StoriesRepository.findTargets': {
    foreign: (w, { b, tx }) => [w, [{ alertId: b.alertId, postId: b.matchedPostId }], tx],
  },
  'StoriesRepository.fold': {
    foreign: (w, { b, tx }) => [w, [{ id: b.matchId, into: b.matchId }], tx],
  },
  'StoriesRepository.deleteExpired': { crosses: 'prunes the keys of all workspaces by age' },

  'SpikeAlertsRepository.findDue': { crosses: 'finds the spike alerts of all workspaces that are due' },
  'SpikeAlertsRepository.lockDue': { foreign: (w, { b, tx }) => [w, b.alertId, NOW(), tx] },
  'SpikeAlertsRepository.schedule': {
    foreign: (w, { b, tx }) => [w, b.alertId, { spikeDueAt: NOW() }, tx],
  },

  'DigestsRepository.findDue': { crosses: 'finds the digests of all workspaces that are due' },
  'DigestsRepository.lockDue': { foreign: (w, { b, tx }) => [w, b.alertId, NOW(), tx] },
  'DigestsRepository.hold': { foreign: (w, { b, tx }) => [w, b.alertId, [b.matchedPostId], tx] },
  'DigestsRepository.release': { foreign: (w, { b, tx }) => [w, b.alertId, tx] },
  'DigestsRepository.schedule': {
    foreign: (w, { b, tx }) => [w, b.alertId, { digestDueAt: null, sentHour: null, sentInHour: 1 }, tx],
  },
  'SavedSearchesRepository.list': { own: (w) => [w] },
  'SavedSearchesRepository.find': { foreign: (w, { b }) => [w, b.searchId] },
  'SavedSearchesRepository.findAll': { foreign: (w, { b }) => [w, [b.searchId]] },
  'ArrivalsRepository.horizon': { crosses: 'names the oldest open transaction of the database' },
  'ArrivalsRepository.look': { own: (w) => [w, '0'] },
  'ArrivalsRepository.from': { own: (w) => [w, 'posts', { xid: '0', seq: '0', rows: 0 }, 1_000] },
  'ArrivalsRepository.forgetPosts': { foreign: (w, { postOfB, tx }) => [w, [postOfB], tx] },
  'ArrivalsRepository.deleteExpired': { crosses: 'prunes the arrivals of all workspaces by age' },
  'SavedSearchesRepository.insert': {
    own: (w, { tx }) => [
      w,
      {
        id: randomUUID(),
        name: 'a',
        of: 'posts',
        q: null,
        filters: {},
        sortBy: null,
        sortOrder: 'desc',
        createdAt: NOW(),
      },
      10,
      tx,
    ],
  },
  'SavedSearchesRepository.update': { foreign: (w, { b }) => [w, b.searchId, { name: 'changed' }] },
  'SavedSearchesRepository.delete': { foreign: (w, { b }) => [w, b.searchId] },
  'MatchesRepository.list': { own: (w) => [w, {}, null, 100] },
  'MatchesRepository.countByState': {
    foreign: (w, { b }) => [w, { alertId: b.alertId }],
    isNothing: (result: Map<string, number>) => result.size === 0,
  },
  'MatchesRepository.update': {
    foreign: (w, { b }) => [w, b.matchId, { state: 'seen' }],
  },
  'MatchesRepository.change': {
    foreign: (w, { b }) => [w, { ids: [b.matchId] }, { addLabels: ['changed'], removeLabels: [] }, 100],
  },

  'AlertsRepository.insert': { own: (_, { entity, tx }) => [entity('alert'), tx] },
  'AlertsRepository.count': COUNT,
  'AlertsRepository.countKeywords': COUNT,
  'AlertsRepository.list': { own: (w) => [w] },
  'AlertsRepository.find': { foreign: (w, { b }) => [w, b.alertId] },
  'AlertsRepository.lock': { foreign: (w, { b, tx }) => [w, b.alertId, tx] },
  'AlertsRepository.lockActive': { foreign: (w, { b, tx }) => [w, [b.alertId], tx] },
  'AlertsRepository.update': { foreign: (w, { b, tx }) => [w, b.alertId, { name: 'changed' }, tx] },
  'AlertsRepository.delete': { foreign: (w, { b, tx }) => [w, b.alertId, tx] },
  'AlertsRepository.version': {
    foreign: (w, probe) => [orEmpty(w, probe), probe.tx],
    isNothing: (version: string) => version === '0',
  },
  'AlertsRepository.active': { own: (w, { tx }) => [w, tx] },
  'AlertsRepository.countTriggering': { foreign: (w, { b, tx }) => [w, [b.alertId], NOW(), tx] },
  'AlertsRepository.recordChannelFailures': {
    foreign: (w, { b, tx }) => [w, b.alertId, { anySuccess: false, failingSince: NOW() }, tx],
  },
  'AlertsRepository.disableChannel': { foreign: (w, { b, tx }) => [w, b.alertId, 'a reason', tx] },

  'AdminSessionsRepository.insert': { crosses: OF_OPERATORS },
  'AdminSessionsRepository.find': { crosses: OF_OPERATORS },
  'AdminSessionsRepository.touch': { crosses: OF_OPERATORS },
  'AdminSessionsRepository.delete': { crosses: OF_OPERATORS },
  'AdminSessionsRepository.deleteOf': { crosses: OF_OPERATORS },
  'OperatorAccountsRepository.bind': { crosses: OF_OPERATORS },
  'OperatorAccountsRepository.list': { crosses: OF_OPERATORS },
  'OperatorAccountsRepository.delete': { crosses: OF_OPERATORS },

  'SessionsRepository.insert': { crosses: 'the session names its own workspace' },
  'SessionsRepository.list': { own: (w) => [w, null, NOW(), new Date(0)] },
  'SessionsRepository.touch': { own: (w) => [w, randomUUID(), NOW(), NOW()] },
  'SessionsRepository.end': { own: (w) => [w, null, null] },
  'SessionsRepository.find': {
    crosses: 'authentication: the hash of a cookie is what leads to its workspace',
  },
  'SessionsRepository.delete': { foreign: (w) => [w, SESSION_OF_B] },
  'SessionsRepository.deleteExpired': { crosses: 'prunes the sessions of all workspaces' },

  'AuditRepository.insert': { crosses: "the operator's log of all changes" },
  'AuditRepository.finish': { crosses: "the operator's log of all changes" },
  'AuditRepository.discard': { crosses: "the operator's log of all changes" },
  'AuditChainRepository.deleteOlderThan': { crosses: 'the audit log belongs to operators' },
  'AuditChainRepository.seal': { crosses: 'the audit log is one chain over all workspaces' },
  'AuditRepository.list': { crosses: "the operator's log of all changes" },

  'EncryptionKeysRepository.findOthers': { crosses: 'keys belong to the whole service' },
  'EncryptionKeysRepository.ids': { crosses: 'keys belong to the whole service' },
  'EncryptionKeysRepository.lock': { crosses: 'keys belong to the whole service' },
  'EncryptionKeysRepository.insert': { crosses: 'keys belong to the whole service' },
  'EncryptionKeysRepository.remove': { crosses: 'keys belong to the whole service' },
  'WebhooksRepository.findSealedOtherwise': { crosses: 'a new encryption key is for all workspaces' },
  'WebhooksRepository.replaceSealed': {
    own: (w, { entity }) => [w, entity('webhook'), { sealedSecret: 'other', sealedPreviousSecret: null }],
  },
  'AlertsRepository.findSealedOtherwise': { crosses: 'a new encryption key is for all workspaces' },
  'AlertsRepository.replaceSealed': {
    own: (w, { entity }) => [w, entity('alert'), { sealedChannelConfig: 'other' }],
  },
  'IdempotencyRepository.hasSealedOtherwise': { crosses: 'a new encryption key is for all workspaces' },
  'WorkspacesRepository.listRetaining': { crosses: 'schedulers delete by age in all workspaces' },
  'ExpiredPostsRepository.find': { own: (w) => [w, NOW(), 1_000] },
  'ExpiredPostsRepository.lock': { foreign: (w, { postOfB, tx }) => [w, [postOfB], NOW(), tx] },
  'ExpiredPostsRepository.delete': { own: (w, { postOfB, tx }) => [w, [postOfB], tx] },
  'ExpiredCommentsRepository.deleteBatch': { own: (w, { tx }) => [w, NOW(), null, 1_000, tx] },
  'ExpiredCommentsRepository.deleteOfPosts': { foreign: (w, { postOfB, tx }) => [w, [postOfB], 1_000, tx] },
  'MediaRepository.listStoredBefore': { own: (w) => [w, NOW(), 1_000] },
  'OutboxRepository.lockRelayedOf': { own: (w, { tx }) => [w, NOW(), null, 1_000, tx] },
  'JobsRepository.countPending': COUNT,
  'JobsRepository.deleteEndedBefore': { own: (w, { tx }) => [w, NOW(), 1_000, tx] },
  'StreamsRepository.claim': { crosses: STREAMS },
  'StreamsRepository.store': { crosses: STREAMS },
  'StreamsRepository.release': { crosses: STREAMS },
  'StreamsRepository.want': { crosses: STREAMS },
  'StreamsRepository.forget': { crosses: STREAMS },
  'StreamsRepository.list': { crosses: STREAMS },
  'StreamsRepository.listDeletions': { crosses: STREAMS },
  'StreamsRepository.removeDeletions': { crosses: STREAMS },
  'StreamsRepository.prune': { crosses: STREAMS },
  'PostsRepository.findStored': { crosses: 'finds in all workspaces what the platform has deleted' },
  'CommentsRepository.findStored': { crosses: 'finds in all workspaces what the platform has deleted' },
  'PostsRepository.suggestions': { own: (w) => [w, { q: 'markofb' }] },
  'CommentsRepository.suggestions': { own: (w) => [w, { q: 'markofb' }] },
  'SavedSearchesRepository.setFeed': { foreign: (w, { b }) => [w, b.searchId, null] },
  'SavedSearchesRepository.findByFeed': { own: (w) => [w, 'hash of a token'] },
  'MembersRepository.save': {
    own: (workspaceId, { tx }) => {
      const id = randomUUID();
      const member = { workspaceId, id, email: 'a@b.example', keyHash: Buffer.from(id), scopes: ['read'] };
      return [{ ...member, createdAt: NOW() }, tx];
    },
  },
  'MembersRepository.list': { own: (w) => [w] },
  'MembersRepository.find': { foreign: (w, { b }) => [w, b.memberId] },
  'MembersRepository.setScopes': { own: (w, { b }) => [w, b.memberId, ['read']] },
  'MembersRepository.delete': { foreign: (w, { b }) => [w, b.memberId] },
  'MembersRepository.ofPerson': { crosses: 'a person signs in to any of their workspaces' },
  'SubscriptionsRepository.membersOf': {
    foreign: (w, { b, tx }) => [w, [b.alertId], tx],
    isNothing: (result: Map<string, string[]>) => result.size === 0,
  },
  'SubscriptionsRepository.alertsOf': { foreign: (w, { b }) => [w, b.memberId] },
  'SubscriptionsRepository.has': {
    foreign: (w, { b }) => [w, b.memberId, b.alertId],
    isNothing: (result: boolean) => !result,
  },
  'SubscriptionsRepository.count': COUNT,
  'SubscriptionsRepository.add': { own: (w, { tx }) => [w, randomUUID(), [], tx] },
  'SubscriptionsRepository.remove': { foreign: (w, { b }) => [w, b.memberId, [b.alertId]] },
  'NotificationAddressesRepository.find': { foreign: (w, { b }) => [w, b.memberId] },
  'NotificationAddressesRepository.save': { crosses: 'the address belongs to a member of its workspace' },
  'NotificationAddressesRepository.replaceSealed': {
    own: (w, { b }) => [
      w,
      { workspaceId: w, memberId: b.memberId, sealedAddress: 'x' },
      { sealedAddress: 'y' },
    ],
  },
  'NotificationAddressesRepository.findSealedOtherwise': {
    crosses: 're-encrypts the addresses of all workspaces',
  },
  'MembersRepository.bind': { own: (w, { b }) => [w, b.memberId, 'issuer subject'] },
  'ApiKeysRepository.insert': { own: (_, { entity, tx }) => [entity('apiKey'), tx] },
  'ApiKeysRepository.countActive': COUNT,
  'ApiKeysRepository.deleteEnded': { foreign: (w, { tx }) => [w, 0, tx] },
  'ApiKeysRepository.list': { own: (w) => [w] },
  'ApiKeysRepository.find': { foreign: (w, { b }) => [w, b.keyId] },
  'ApiKeysRepository.findByHash': {
    crosses: 'authentication: the hash of a key is what leads to its workspace',
  },
  'ApiKeysRepository.lastUses': { crosses: "the operator's list of workspaces" },
  'ApiKeysRepository.touch': { own: (w, { b }) => [w, b.keyId, NOW(), NOW()] },
  'ApiKeysRepository.expireAfter': { foreign: (w, { b, tx }) => [w, b.keyId, 60, tx] },
  'ApiKeysRepository.revoke': { foreign: (w, { b }) => [w, b.keyId] },

  'CommentsRepository.list': { own: (w) => [w, {}, NEWEST, { after: null, limit: 100 }] },
  'CommentsRepository.countAll': COUNT,
  'CommentsRepository.find': { foreign: (w, { commentOfB }) => [w, commentOfB] },
  'CommentsRepository.postsWithComments': { foreign: (w, { postOfB }) => [w, [postOfB]] },
  'CommentsRepository.findMany': { foreign: (w, { commentOfB }) => [w, [commentOfB]] },
  'CommentsRepository.newest': { own: (w) => [w, ['technology'], 100] },
  'CommentsRepository.upsert': { own: (w, { tx }) => [w, [], tx] },
  'CommentsRepository.insertNew': { own: (w, { tx }) => [w, [], tx] },
  'CommentsRepository.listCreatedAfter': { own: (w) => [w, 't1_', BEGINNING, 100] },
  'CommentsRepository.listThreadsAfter': { own: (w) => [w, 't1_', new Date(0), BEGINNING, 100] },
  'CommentsRepository.overwriteGone': {
    foreign: (w, { commentOfB, tx }) => [
      w,
      [
        {
          id: SOURCES.commentNumber(commentOfB),
          author: 'x',
          body: 'x',
          sentimentScore: 0,
          sentimentLabel: 'neutral',
        },
      ],
      NOW(),
      tx,
    ],
  },
  'CommentsRepository.depths': {
    foreign: (w, { commentOfB }) => [w, [SOURCES.commentNumber(commentOfB)]],
    isNothing: (result: Map<number, number>) => result.size === 0,
  },

  'DumpImportsRepository.find': { foreign: (w) => [w, FINGERPRINT_OF_B] },
  'DumpImportsRepository.save': {
    own: (w, { tx }) => [
      w,
      {
        fingerprint: Buffer.from('fingerprint'),
        file: 'RS.zst',
        lines: 1,
        posts: 1,
        comments: 0,
        damagedLines: 0,
        completedAt: null,
        updatedAt: NOW(),
      },
      tx,
    ],
  },

  'DestinationQueuesRepository.backlog': { crosses: 'a metric of the whole service' },
  'DestinationQueuesRepository.countOpenCircuits': { crosses: 'a metric of the whole service' },
  'DestinationQueuesRepository.openCircuits': { crosses: "the operator's overview" },
  'DestinationQueuesRepository.retry': { foreign: (w, probe) => [hook(w, probe), probe.tx] },
  'DestinationQueuesRepository.find': { crosses: 'an operator names a destination by its id alone' },
  'DeliveriesRepository.insert': { own: (w, probe) => [w, [newHook(probe)], probe.tx] },
  'DeliveriesRepository.list': { foreign: (w, probe) => [hook(w, probe), {}, PAGE] },
  'DeliveriesRepository.find': { foreign: (w, probe) => [hook(w, probe), probe.b.deliveries.ofWebhook] },
  'DeliveriesRepository.restart': {
    foreign: (w, probe) => [hook(w, probe), probe.b.deliveries.ofWebhook, probe.tx],
  },
  'DeliveriesRepository.findPendingEvents': {
    foreign: (w, { eventId, tx }) => [[{ workspaceId: w, id: eventId }], tx],
  },
  'DeliveriesRepository.deleteIdleQueues': { crosses: 'prunes the queues of all workspaces by age' },
  'DeliveriesRepository.makeDue': { own: (w, probe) => [w, [hook(w, probe)], probe.tx] },

  'DeliveryClaimsRepository.lockDueQueues': { crosses: IN_LOCKED_BATCHES },
  'DeliveryClaimsRepository.lease': {
    foreign: (w, probe) => [
      randomUUID(),
      60_000,
      [{ queue: { ...hook(w, probe), failures: 0 }, count: 10, pauseMs: 0 }],
      probe.tx,
    ],
  },
  'DeliveryClaimsRepository.record': {
    foreign: (w, probe) => [
      randomUUID(),
      [
        {
          destination: hook(w, probe),
          deliveryId: probe.b.deliveries.pending,
          status: 'delivered',
          retryInMs: null,
          attempt: { at: NOW(), succeeded: true, responseCode: 200, durationMs: 1 },
          error: null,
          disableReason: null,
        },
      ],
      probe.tx,
    ],
  },
  'DeliveryClaimsRepository.updateQueues': {
    foreign: (w, probe) => [
      [
        {
          destination: hook(w, probe),
          anySuccess: false,
          failures: 3,
          failingSince: NOW(),
          lastAt: NOW(),
          retryInMs: 0,
        },
      ],
      probe.tx,
    ],
  },
  'DeliveryClaimsRepository.release': {
    foreign: (w, probe) => [
      LEASE_OWNER,
      [{ destination: hook(w, probe), deliveryId: probe.b.deliveries.ofOtherWebhook }],
    ],
  },

  'ExportJobsRepository.backlog': { crosses: "the operator's overview" },
  'ExportJobsRepository.insert': {
    own: (w) => [
      w,
      {
        id: randomUUID(),
        kind: 'posts',
        format: 'csv',
        compression: null,
        filters: {},
        incrementalFrom: null,
        changedSince: null,
        byteOrderMark: false,
        pseudonymize: false,
      },
      100,
    ],
  },
  'ExportJobsRepository.find': { foreign: (w, { b }) => [w, b.exports.completed] },
  'ExportJobsRepository.list': { own: (w) => [w, PAGE] },
  'ExportJobsRepository.listParts': { foreign: (w, { b }) => [w, [b.exports.completed]] },
  'ExportJobsRepository.findPart': { foreign: (w, { b }) => [w, b.exports.completed, 1] },
  'ExportJobsRepository.areRowsDistributed': { crosses: 'a property of the database' },
  'ExportJobsRepository.storedBytes': COUNT,
  'ExportJobsRepository.isOfThisDatabase': { foreign: (w, { b }) => [w, b.exports.completed] },
  'ExportJobsRepository.cancel': { foreign: (w, { b, tx }) => [w, b.exports.pending, tx] },
  'ExportJobsRepository.delete': { foreign: (w, { b }) => [w, b.exports.cancelled] },
  'ExportJobsRepository.findExpired': { crosses: 'prunes the exports of all workspaces by age' },

  'ExportLeasesRepository.lockClaims': { crosses: 'claims of all workspaces take turns' },
  'ExportLeasesRepository.findWaiting': { crosses: 'workspaces take turns' },
  'ExportLeasesRepository.claim': {
    foreign: (w, { b, tx }) => [w, b.exports.pending, { owner: randomUUID(), leaseMs: 60_000 }, tx],
  },
  'ExportLeasesRepository.prolong': {
    foreign: (w, { b }) => [{ workspaceId: w, id: b.exports.running, owner: LEASE_OWNER }, 3_600_000],
  },
  'ExportLeasesRepository.lastPart': { foreign: (w, { b }) => [w, b.exports.completed] },
  'ExportLeasesRepository.recordPart': {
    foreign: (w, { b, tx }) => [
      {
        workspaceId: w,
        exportId: b.exports.running,
        number: 9,
        key: 'x',
        rows: 0,
        bytes: 0,
        sha256: 'x',
        lastId: null,
      },
      LEASE_OWNER,
      tx,
    ],
  },
  'ExportLeasesRepository.end': {
    foreign: (w, { b, tx }) => [
      w,
      b.exports.running,
      LEASE_OWNER,
      { status: 'failed', errorMessage: 'x' },
      tx,
    ],
  },
  'ExportLeasesRepository.release': {
    foreign: (w, { b }) => [
      { workspaceId: w, id: b.exports.running, owner: LEASE_OWNER },
      { countsAttempt: true, delayMs: 0 },
    ],
  },

  'OutboxRepository.backlog': { crosses: 'a metric of the whole service' },
  'OutboxRepository.countSetAside': { crosses: "the operator's overview" },
  'OutboxRepository.append': {
    own: (w, { b, tx }) => [
      w,
      { type: 'job.failed', uniqueKey: 'same', subjectId: b.jobs.completed, data: {} },
      tx,
    ],
  },
  'OutboxRepository.appendTest': { own: (w, { b, tx }) => [w, 'webhook.test', b.webhookId, {}, tx] },
  'OutboxRepository.findWaitingWorkspaces': { crosses: 'names the workspaces that the relay serves in turn' },
  'OutboxRepository.lockWaiting': { own: (w, { tx }) => [w, 100, tx] },
  'OutboxRepository.markPartlyRelayed': { foreign: (w, { b, eventId, tx }) => [w, eventId, b.webhookId, tx] },
  'OutboxRepository.recordRelayFailure': { foreign: (w, { waitingEventId }) => [w, waitingEventId, 3] },
  'OutboxRepository.deleteSetAsideBefore': { crosses: 'prunes the events of all workspaces by age' },
  'OutboxRepository.markRelayed': { foreign: (w, { eventId, tx }) => [w, [eventId], tx] },
  'OutboxRepository.findPayloads': {
    foreign: (w, { eventId, tx }) => [[{ workspaceId: w, id: eventId }], tx],
  },
  'OutboxRepository.lockRelayedBefore': { crosses: IN_LOCKED_BATCHES },
  'OutboxRepository.delete': { foreign: (w, { eventId, tx }) => [[{ workspaceId: w, id: eventId }], tx] },

  'IdempotencyRepository.begin': {
    own: (w, { idempotencyKey }) => [
      w,
      { ...idempotencyKey, key: 'begun' },
      Buffer.from('x'),
      { keptMs: 60_000, leaseMs: 60_000 },
      { keys: 100, bytes: 1_000_000 },
    ],
  },
  'IdempotencyRepository.usage': { own: (w) => [w] },
  'IdempotencyRepository.deleteExpiredOf': { own: (w) => [w, 0, 1] },
  'IdempotencyRepository.find': { foreign: (w, { idempotencyKey }) => [w, idempotencyKey] },
  'IdempotencyRepository.release': {
    foreign: (w, { idempotencyKey }) => [w, { ...idempotencyKey, key: 'unanswered' }],
  },
  'IdempotencyRepository.complete': {
    foreign: (w, { idempotencyKey }) => [w, idempotencyKey, 200, 'sealed'],
  },
  'IdempotencyRepository.deleteExpired': { crosses: 'prunes the keys of all workspaces by age' },

  'JobsRepository.insert': { own: (_, { entity, tx }) => [entity('job'), tx] },
  'JobsRepository.find': { foreign: (w, { b }) => [w, b.jobs.completed] },
  'JobsRepository.findAll': { foreign: (w, { b }) => [w, Object.values(b.jobs)] },
  'JobsRepository.list': { own: (w) => [w, {}, PAGE] },
  'JobsRepository.backlog': { crosses: 'a metric of the whole service' },
  'JobsRepository.endedByHour': { crosses: "the operator's overview" },
  'JobsRepository.newestFailed': { crosses: "the operator's overview" },
  'JobsRepository.findById': { crosses: 'an operator names a job by its id alone' },
  'JobsRepository.findEach': { foreign: (w, { b }) => [[{ workspaceId: w, id: b.jobs.completed }]] },
  'JobsRepository.putBack': { foreign: (w, { b, tx }) => [w, b.jobs.completed, tx] },
  'JobsRepository.newestTimes': { crosses: "the operator's list of workspaces" },
  'JobsRepository.deleteEnded': { crosses: 'prunes the jobs of all workspaces by age' },
  'JobsRepository.cancel': { foreign: (w, { b }) => [w, b.jobs.pending] },
  'JobsRepository.cancelAll': { own: (w, { tx }) => [w, tx] },

  ...RIGHTS_CASES,
  ...EXECUTION_CASES,

  'MediaRepository.listOfPost': { foreign: (w) => [w, ONLY_IN_B] },
  'MediaRepository.listOfPosts': { foreign: (w) => [w, [ONLY_IN_B]] },
  'MediaRepository.delete': { foreign: (w, { b, tx }) => [w, [b.mediaId], tx] },
  'MediaRepository.totalBytes': COUNT,
  'MediaRepository.find': { foreign: (w, { b }) => [w, b.postId, b.mediaId] },
  'MediaRepository.withoutStored': {
    foreign: (w) => [w, [{ postId: ONLY_IN_B, url: MEDIA_URL, audioUrls: [], fallbackUrl: null }]],
    // The result contains only posts that are not stored.
    isNothing: (result: unknown[]) => result.length === 1,
  },
  'MediaRepository.insert': {
    own: (w, { b, tx }) => [
      w,
      {
        id: b.mediaId,
        postId: b.postId,
        url: `${MEDIA_URL}/other`,
        contentType: 'image/png',
        size: 1,
        sha256: 'x',
        path: 'x',
        createdAt: NOW(),
      },
      tx,
    ],
  },

  'PostsRepository.list': {
    own: (w) => [w, ['id', 'title', 'author'], {}, NEWEST, { after: null, limit: 100 }],
  },
  'PostCountsRepository.countAll': COUNT,
  'PostsRepository.find': { foreign: (w, { postOfB }) => [w, postOfB] },
  'PostsRepository.scoreHistory': { foreign: (w, { postOfB }) => [w, postOfB] },
  'PostsRepository.annotations': { foreign: (w, { postOfB }) => [w, postOfB] },
  'PostsRepository.findMany': { foreign: (w, { postOfB }) => [w, [postOfB]] },
  'PostsRepository.newest': { own: (w) => [w, ['technology'], 100] },
  'PostsRepository.summaries': { foreign: (w, { postOfB }) => [w, [postOfB]] },
  'PostsRepository.listCreatedAfter': { own: (w) => [w, 't3_', BEGINNING, 100] },
  'PostsRepository.overwriteGone': {
    foreign: (w, { postOfB, tx }) => [
      w,
      [
        {
          id: postOfB,
          title: 'x',
          author: 'x',
          selftext: 'x',
          url: null,
          hasMedia: false,
          mediaUrls: [],
          sentimentScore: 0,
          sentimentLabel: 'neutral',
          keywords: [],
        },
      ],
      NOW(),
      tx,
    ],
  },
  'PostCountsRepository.countByForum': COUNT,
  'PostsRepository.findExisting': { foreign: (w, { postOfB }) => [w, [postOfB]] },
  'PostsRepository.findTrees': { foreign: (w, { postOfB }) => [w, [postOfB]] },
  'PostsRepository.upsert': { own: (w, { tx }) => [w, [], tx] },
  'PostsRepository.insertNew': { own: (w, { tx }) => [w, [], tx] },

  'ContentRechecksRepository.addMissing': { crosses: 'adds the passes of every workspace' },
  'ContentRechecksRepository.claim': { crosses: IN_LOCKED_BATCHES },
  'ContentRechecksRepository.save': {
    foreign: (w, { tx }) => [
      w,
      { source: 'reddit', kind: 'posts' },
      {
        dueAt: NOW(),
        passStartedAt: null,
        afterTime: null,
        afterId: null,
        checked: 0,
        gone: { deleted: 0, removed: 0, account_deleted: 0 },
      },
      tx,
    ],
  },
  'ContentRechecksRepository.postpone': { foreign: (w) => [w, { source: 'reddit', kind: 'posts' }, NOW()] },

  'DueSchedulesRepository.backlog': { crosses: 'a metric of the whole service' },
  'DueSchedulesRepository.lockDue': { crosses: IN_LOCKED_BATCHES },
  'DueSchedulesRepository.newestJobs': {
    foreign: (w, { b, tx }) => [[{ workspaceId: w, id: b.scheduleId, resumedAt: new Date(0) }], 5, tx],
    isNothing: (result: Map<string, unknown[]>) => [...result.values()].every((jobs) => jobs.length === 0),
  },
  'DueSchedulesRepository.insertOccurrences': { foreign: (w, probe) => [[plan(w, probe)], NOW(), probe.tx] },
  'DueSchedulesRepository.applyPlans': {
    foreign: (w, probe) => [[plan(w, probe)], new Set([probe.b.scheduleId]), NOW(), probe.tx],
  },
  'DueSchedulesRepository.deleteOccurrences': { crosses: IN_LOCKED_BATCHES },

  'SchedulesRepository.insert': { own: (_, { entity, tx }) => [entity('schedule'), tx] },
  'SchedulesRepository.count': COUNT,
  'SchedulesRepository.list': { own: (w) => [w] },
  'SchedulesRepository.find': { foreign: (w, { b }) => [w, b.scheduleId] },
  'SchedulesRepository.lock': { foreign: (w, { b, tx }) => [w, b.scheduleId, tx] },
  'SchedulesRepository.update': { foreign: (w, { b, tx }) => [w, b.scheduleId, { target: 'changed' }, tx] },
  'SchedulesRepository.insertManualOccurrence': {
    foreign: (w, { b, tx }) => [w, b.scheduleId, { jobId: b.jobs.completed, at: NOW() }, tx],
  },
  'SchedulesRepository.listOccurrences': { foreign: (w, { b }) => [w, b.scheduleId, PAGE] },
  'SchedulesRepository.delete': { foreign: (w, { b }) => [w, b.scheduleId] },

  'TenantRowsRepository.rows': { own: (w, { tx }) => [w, 'posts', tx] },
  'TenantRowsRepository.deleteBatch': { own: (w, { tx }) => [w, 50, tx, new Set(['sessions'])] },

  'WebhooksRepository.insert': { own: (_, { entity, tx }) => [entity('webhook'), tx] },
  'WebhooksRepository.count': COUNT,
  'WebhooksRepository.list': { own: (w) => [w] },
  'WebhooksRepository.find': { foreign: (w, { b }) => [w, b.webhookId] },
  'WebhooksRepository.lock': { foreign: (w, { b, tx }) => [w, b.webhookId, tx] },
  'WebhooksRepository.update': {
    foreign: (w, { b, tx }) => [w, b.webhookId, { sealedUrl: 'https://changed' }, tx],
  },
  'WebhooksRepository.subscriptions': { own: (w, { tx }) => [w, tx] },
  'WebhooksRepository.recordAttempts': {
    foreign: (w, { b, tx }) => [
      w,
      [{ id: b.webhookId, anySuccess: false, failures: 7, failingSince: NOW(), lastAt: NOW() }],
      tx,
    ],
  },
  'WebhooksRepository.disable': { foreign: (w, { b, tx }) => [w, b.webhookId, 'a reason', tx] },
  'WebhooksRepository.delete': { foreign: (w, { b }) => [w, b.otherWebhookId] },

  'WorkspacesRepository.findQuotas': { foreign: (w) => [w], isNothing: hasNoField },
  'WorkspacesRepository.lockQuotas': { foreign: (w, { tx }) => [w, tx], isNothing: hasNoField },
  'WorkspacesRepository.insert': { crosses: 'creates a workspace' },
  'WorkspacesRepository.find': { own: (w) => [w] },
  'WorkspacesRepository.lock': { own: (w, { tx }) => [w, tx] },
  'WorkspacesRepository.update': { own: (w, { tx }) => [w, { name: 'Renamed' }, tx] },
  'WorkspacesRepository.lockDeleting': { own: (w, { tx }) => [w, tx] },
  'WorkspacesRepository.deleteRequested': { own: (w, { tx }) => [w, tx] },
  'WorkspacesRepository.list': { crosses: "the operator's list of workspaces" },
  'WorkspacesRepository.count': { crosses: "the operator's list of workspaces" },
  'WorkspacesRepository.listIds': { crosses: 'names every workspace whose content is looked up again' },
  'WorkspacesRepository.findInactive': { crosses: 'claims leave out every suspended workspace' },
};
