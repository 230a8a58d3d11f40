import { type Quota, QUOTAS } from '../../config/quotas.js';
import { apiKey, job, TIME, WORKSPACE, type OperationExamples } from './interface-examples.js';

/** Usage of the quotas in the examples; 0 for others. */
const USED: Partial<Record<Quota, number>> = {
  pending_jobs: 3,
  schedules: 12,
  alerts: 4,
  alert_keywords: 96,
  webhooks: 2,
  api_keys: 5,
  media_bytes: 73_400_320,
  event_streams: 1,
};

const adminWorkspace = {
  id: WORKSPACE,
  name: 'Marketing',
  status: 'active',
  created_at: TIME,
  last_activity_at: TIME,
  usage: { posts: 120_400, comments: 981_300, media_bytes: 73_400_320, pending_jobs: 3 },
  quotas: { webhooks: 200 },
  quota_defaults: Object.fromEntries(QUOTAS.all.map(({ name, default: limit }) => [name, limit])),
  retention_days: { posts: 365, media: 30 },
  deletion: null,
};

const MEMBER = {
  id: 'member_5f1d7c1e-6a3b-4c59-9a4f-0d2b7c3e8f11',
  email: 'me@example.org',
  role: 'editor',
  last_seen_at: TIME,
};

const NOTIFICATION_SETTINGS = {
  email: MEMBER.email,
  pending_email: null,
  alert_ids: ['alert_0b6f8e51-6a0e-4d0c-8a59-51a4a3f2c7d1'],
};

const SIGN_IN_TOKEN = 'Zk3xQ0m9v7nT2sY5bW8cR1dJ4hL6pG0eU9aXoMqV1zN';

/** The entry of a job that a key created, with some fields replaced, in a page. */
const auditPage = (fields: object): object => ({
  entries: [
    {
      id: '5b8e2f4c-9d0a-4b6e-8f1c-2a3b4c5d6e7f',
      created_at: TIME,
      actor: 'api_key',
      actor_name: apiKey.key_prefix,
      ip: '203.0.113.7',
      action: 'createJob',
      workspace_id: WORKSPACE,
      resource: { id: job.id },
      fields: ['target', 'limit'],
      status: 201,
      request_id: '5f0c7a4e-8a40-4f0c-9f4e-2f1d3c5b6a79',
      sequence: 4711,
      hash: '8b1a9953c4611296a827abf8c47804d7e6c49c6b97c3f1d1a3c8e2f0b5d6a7e9',
      key_name: apiKey.name,
      record_name: job.target,
      changes: [],
      ...fields,
    },
  ],
  cursor: 'mAqJzv3ZVxDkWyIyMDI2LTExLTIxIl0',
  has_more: false,
});

/** Examples for operator, session and usage operations. */
export const OPERATOR_EXAMPLES: Record<string, OperationExamples> = {
  getWorkspace: {
    response: {
      workspace_id: WORKSPACE,
      name: 'Research',
      status: 'active',
      scopes: ['write'],
      key_prefix: 'rp_8fK2mQxZ',
    },
  },
  listMembers: { response: [MEMBER] },
  createMember: {
    request: { email: MEMBER.email, role: 'editor' },
    response: { ...MEMBER, last_seen_at: null },
  },
  updateMember: { request: { role: 'owner' }, response: { ...MEMBER, role: 'owner' } },
  removeMember: { response: { message: 'Member removed' } },
  getNotificationSettings: { response: NOTIFICATION_SETTINGS },
  updateNotificationSettings: {
    request: { email: 'me@mail.example', add_alert_ids: NOTIFICATION_SETTINGS.alert_ids },
    response: { ...NOTIFICATION_SETTINGS, pending_email: 'me@mail.example' },
  },
  getIdentityProvider: { response: { issuer: 'https://login.example.org' } },
  listMemberships: {
    response: [{ workspace_id: WORKSPACE, workspace_name: 'Research', role: 'editor', is_current: true }],
  },
  switchWorkspace: { request: { workspace_id: WORKSPACE } },
  getUsage: {
    response: {
      quotas: Object.fromEntries(
        QUOTAS.all.map(({ name, default: limit }) => [name, { limit, used: USED[name as Quota] ?? 0 }]),
      ),
      storage: { posts: 120_400, comments: 981_300, media_bytes: 73_400_320 },
      requests_last_minute: 42,
    },
  },
  listAdminWorkspaces: {
    response: {
      workspaces: [adminWorkspace],
      total: 1,
      cursor: 'mAqJzv3ZVxDkWyIyMDI2LTExLTIxIl0',
      has_more: false,
    },
  },
  createAdminWorkspace: {
    request: { name: 'Marketing' },
    response: {
      ...adminWorkspace,
      last_activity_at: null,
      usage: { posts: 0, comments: 0, media_bytes: 0, pending_jobs: 0 },
      quotas: {},
      retention_days: {},
      workspace_id: WORKSPACE.slice(3),
      api_key: 'rp_8fK2mQxZ7vB3nT6yL1pR9sW4hJ0dG5cA2eU8kXoMqV1zN4i',
    },
  },
  getAdminWorkspace: { response: adminWorkspace },
  updateAdminWorkspace: {
    request: { status: 'suspended', quotas: { webhooks: 200, alerts: null }, retention_days: { media: 30 } },
    response: { ...adminWorkspace, status: 'suspended' },
  },
  resetAdminWorkspace: { response: adminWorkspace },
  deleteAdminWorkspace: {
    response: { ...adminWorkspace, status: 'deleting', deletion: { requested_at: TIME, rows: 0 } },
  },
  listAdminApiKeys: { response: [{ ...apiKey, expires_at: null }] },
  createAdminApiKey: {
    request: { name: 'Recovery key', scopes: ['admin'] },
    response: {
      ...apiKey,
      name: 'Recovery key',
      scopes: ['admin'],
      key: 'rp_8fK2mQxZ7vB3nT6yL1pR9sW4hJ0dG5cA2eU8kXoMqV1zN4i',
    },
  },
  revokeAdminApiKey: { response: { message: 'API key revoked' } },
  getAdminOverview: {
    response: {
      queues: [
        { queue: 'jobs', waiting: 3, oldest_seconds: 12.4 },
        { queue: 'exports', waiting: 0, oldest_seconds: 0 },
        { queue: 'schedules', waiting: 1, oldest_seconds: 0.3 },
        { queue: 'deliveries', waiting: 17, oldest_seconds: 240.8 },
      ],
      request_budget: [
        {
          source: 'reddit',
          limit: 100,
          window_seconds: 60,
          used: 64,
          remaining: 36,
          waiting: 0,
          resets_in_seconds: 211.5,
        },
        {
          source: 'hackernews',
          limit: 1_500,
          window_seconds: 600,
          used: 12,
          remaining: 1_488,
          waiting: 0,
          resets_in_seconds: null,
        },
      ],
      executions: [
        {
          job_id: job.id,
          workspace_id: WORKSPACE,
          target: 'technology',
          mode: 'full',
          started_at: TIME,
          worker: 'worker-1:4242',
          attempts: 1,
          lease_age_seconds: 1.2,
          lease_expired: false,
        },
      ],
      failed_jobs: [
        {
          job_id: job.id,
          workspace_id: WORKSPACE,
          target: 'programing',
          mode: 'full',
          failed_at: TIME,
          error_code: 'target_not_found',
          error_message: 'The forum programing does not exist',
        },
      ],
      ended_jobs: [{ hour: TIME, completed: 42, failed: 1, cancelled: 0, posts: 3_180, comments: 20_412 }],
      workers: [{ worker: 'worker-1:4242', seen_seconds_ago: 0.8, alive: true, claims_failing: false }],
      outbox: { pending: 0, lag_seconds: 0, set_aside: 0 },
      destinations: [
        {
          id: 'wh_7d1f9a52-5f33-4c3e-9a41-0b8f2c6d7e10',
          name: 'hooks.example.com',
          workspace_id: WORKSPACE,
          kind: 'webhook',
          failures: 9,
          next_attempt_at: TIME,
        },
      ],
      destinations_circuit_open: 1,
      database: {
        status: 'ok',
        latency_ms: 0.9,
        pools: [{ pool: 'control', in_use: 1, waiting: 0 }],
      },
      redis: { status: 'ok', latency_ms: 0.3 },
      versions: { service: '1.0.0', node: 'v22.13.0', postgres: '18.0', redis: '7.0.15' },
    },
  },
  retryAdminJob: { response: job },
  retryAdminDestination: {
    response: {
      id: 'wh_7d1f9a52-5f33-4c3e-9a41-0b8f2c6d7e10',
      workspace_id: WORKSPACE,
      kind: 'webhook',
      deliveries_due: 17,
    },
  },
  createSession: { request: { api_key: 'rp_8fK2mQxZ7vB3nT6yL1pR9sW4hJ0dG5cA2eU8kXoMqV1zN4i' } },
  createSignInLink: {
    response: {
      path: `/sign-in#${SIGN_IN_TOKEN}`,
      token: SIGN_IN_TOKEN,
      expires_at: TIME,
    },
  },
  redeemSignInLink: { request: { token: SIGN_IN_TOKEN } },
  getSession: {
    response: {
      workspace_id: WORKSPACE,
      workspace_name: 'Marketing',
      scopes: ['admin'],
      key_prefix: apiKey.key_prefix,
    },
  },
  listSessions: {
    response: [
      {
        id: 'session_7c1e0d9a-3b5f-4e2a-8d6c-1f2e3d4c5b6a',
        key_id: apiKey.id,
        key_prefix: apiKey.key_prefix,
        address: '203.0.113.7',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        created_at: TIME,
        last_used_at: TIME,
        expires_at: '2026-11-21T21:30:00.000Z',
        is_current: true,
      },
    ],
  },
  endSession: { response: { message: 'Session ended' } },
  endAllSessions: { response: { message: '2 sessions ended' } },
  createAdminSession: { request: { admin_token: 'HAABImguTSuvkz1z39bFaRPpRisb_t8dtn20MARw9rs' } },
  getAdminSession: { response: { expires_at: '2026-11-21T21:30:00.000Z' } },
  listAudit: {
    response: auditPage({
      actor_name: MEMBER.email,
      action: 'updateAlert',
      resource: { alert_id: NOTIFICATION_SETTINGS.alert_ids[0] },
      fields: ['query'],
      status: 200,
      key_name: null,
      record_name: 'Batteries',
      changes: [{ field: 'query', before: 'battery', after: 'battery OR charger' }],
    }),
  },
  listAuditEntries: { response: auditPage({}) },
  getMetrics: {
    files: {
      'text/plain':
        '# TYPE wss_http_request_duration_seconds histogram\nwss_http_request_duration_seconds_count{method="GET",route="/api/v1/workspaces/:workspace_id/jobs/:job_id",status="200"} 12\n',
    },
  },
};
