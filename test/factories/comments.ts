import { DataSource } from 'typeorm';
import { type CommentRecord, commentNumber } from '../../src/modules/comments/comment.entity.js';
import { CommentsRepository } from '../../src/modules/comments/comments.repository.js';
import type { TestApplication } from '../support/application.js';

export type NewComment = Omit<CommentRecord, 'workspace_id'>;

export function aComment(number: number, overrides: Partial<NewComment> = {}): NewComment {
  const comment_id = `t1_${number.toString(36).padStart(6, '0')}`;
  return {
    id: commentNumber(comment_id),
    comment_id,
    post_id: 't3_000001',
    post_permalink: '/r/technology/comments/000001/post/',
    parent_id: 't3_000001',
    author: `author${number % 5}`,
    body: `Comment ${number} about chargers`,
    score: number,
    created_utc: new Date(Date.UTC(2026, 0, 1) + number * 1_000),
    depth: 0,
    is_submitter: false,
    sentiment_score: 0.25,
    sentiment_label: 'positive',
    scraped_at: new Date(Date.UTC(2026, 0, 2)),
    ...overrides,
  };
}

export async function storeComments(
  service: TestApplication,
  workspaceId: string,
  comments: readonly NewComment[],
): Promise<void> {
  const repository = service.app.get(CommentsRepository, { strict: false });
  await repository.upsert(workspaceId, comments, service.app.get(DataSource).manager);
}
