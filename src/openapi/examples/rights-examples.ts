import { type OperationExamples, TIME } from './interface-examples.js';

const erasure = {
  id: 'erasure_3f0c5a1e-8b7d-4f4a-9a3d-2b1c0d9e8f7a',
  kind: 'author',
  source: 'reddit',
  reason: 'Asked by mail',
  suppress: true,
  suppression_id: 'suppression_6b1d2c3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e',
  status: 'pending',
  removed: {
    posts: 0,
    comments: 0,
    media: 0,
    matches: 0,
    events: 0,
    exports: 0,
    jobs: 0,
    schedules: 0,
    responses: 0,
    dataset_rows: 0,
  },
  created_at: TIME,
  completed_at: null,
};
const completed = {
  ...erasure,
  status: 'completed',
  removed: { ...erasure.removed, posts: 12, comments: 140, media: 3, matches: 2, events: 2, exports: 1 },
  completed_at: '2026-11-21T09:30:09.000Z',
};
const request = { source: 'reddit', author: 'some_account', reason: 'Asked by mail', suppress: true };
const ofPost = { ...erasure, kind: 'post', reason: '' };

const dataset = {
  id: 'dataset_5d6e7f80-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  workspace_id: 'ws_1d2c3b4a-5f6e-4d7c-8b9a-0f1e2d3c4b5a',
  name: 'Batteries in November',
  of: 'posts',
  q: 'battery',
  filters: { forum: 'technology' },
  status: 'pending',
  rows: 0,
  bytes: 0,
  erased_rows: 0,
  erased_at: null,
  parts: [],
  manifest: null,
  error_message: null,
  created_at: TIME,
  completed_at: null,
};
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const frozen = {
  ...dataset,
  status: 'completed',
  rows: 1_203,
  bytes: 310_452,
  erased_rows: 2,
  erased_at: '2026-11-25T10:00:00.000Z',
  parts: [
    {
      path: `/api/v1/workspaces/${dataset.workspace_id}/datasets/${dataset.id}/parts/1`,
      rows: 1_203,
      bytes: 310_452,
      sha256: SHA256,
    },
  ],
  manifest: {
    query: { of: 'posts', q: 'battery', filters: { forum: 'technology' } },
    frozen_at: TIME,
    frozen_rows: 1_205,
    erased_rows: 2,
    columns: ['id', 'title', 'language'],
    sources: [{ source: 'hackernews', rows: 1_205, licence: 'Rights stay with the authors.' }],
    models: {
      service: '1.0.0',
      language: '0f1e2d3c4b5a6978',
      sentiment: '1f2e3d4c5b6a7988',
      keywords: '2f3e4d5c6b7a8998',
    },
    files: [{ name: 'posts-00001.parquet', rows: 1_203, bytes: 310_452, sha256: SHA256 }],
  },
  completed_at: '2026-11-21T09:30:09.000Z',
};

/** Examples for operations that erase, suppress and freeze. */
export const RIGHTS_EXAMPLES: Record<string, OperationExamples> = {
  listErasures: { response: { erasures: [completed], total: 1, has_more: false } },
  createErasure: { request, response: erasure },
  getErasure: { response: completed },
  deletePost: { response: ofPost },
  deleteComment: { response: { ...ofPost, kind: 'comment' } },
  listAdminErasures: { response: { erasures: [completed], total: 1, has_more: false } },
  createAdminErasure: { request, response: erasure },
  listSuppressions: {
    response: {
      suppressions: [
        {
          id: erasure.suppression_id,
          kind: 'author',
          hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          created_at: TIME,
        },
      ],
      total: 1,
      has_more: false,
    },
  },
  createLabels: {
    request: { labeller: 'coder_1', csv: 'id,label\nt3_1abcde,relevant\nt3_1abcdf,irrelevant' },
    response: { workspace_id: dataset.workspace_id, labeller: 'coder_1', saved: 2 },
  },
  listLabels: {
    response: {
      labellers: [
        { labeller: 'coder_1', records: 500, labels: ['relevant', 'irrelevant'], labelled_at: TIME },
      ],
    },
  },
  getAgreement: {
    response: {
      labellers: ['coder_1', 'coder_2'],
      pairs: [{ labellers: ['coder_1', 'coder_2'], records: 500, observed: 0.91, cohens_kappa: 0.78 }],
      krippendorffs_alpha: 0.78,
    },
  },
  deleteLabels: { response: { message: 'Labels deleted' } },
  createDataset: {
    request: {
      name: dataset.name,
      of: 'posts',
      q: 'battery',
      filters: dataset.filters,
    },
    response: dataset,
  },
  listDatasets: { response: { datasets: [frozen], total: 1, has_more: false } },
  getDataset: { response: frozen },
  deleteDataset: { response: { message: 'Dataset deleted' } },
  deleteSuppression: { response: { message: 'Suppression deleted' } },
};
