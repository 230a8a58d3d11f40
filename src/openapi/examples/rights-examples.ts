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

/** Examples for operations that erase and suppress. */
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
  deleteSuppression: { response: { message: 'Suppression deleted' } },
};
