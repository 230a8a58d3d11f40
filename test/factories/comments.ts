import { DataSource } from 'typeorm';
import { SOURCES } from '../../src/platforms/registry.js';
import { CommentsRepository, type NewComment } from '../../src/content/comments/comments.repository.js';
import type { TestApplication } from '../support/application.js';

export function aComment(number: number, overrides: Partial<NewComment> = {}): NewComment {
  const commentId = `t1_${number.toString(36).padStart(6, '0')}`;
  return {
    id: SOURCES.commentNumber(commentId),
    commentId,
    postId: 't3_000001',
    postPermalink: '/r/technology/comments/000001/post/',
    forum: 'technology',
    parentId: 't3_000001',
    author: `author${number % 5}`,
    body: `Comment ${number} about chargers`,
    score: number,
    createdUtc: new Date(Date.UTC(2026, 0, 1) + number * 1_000),
    depth: 0,
    isSubmitter: false,
    sentimentScore: 0.25,
    sentimentLabel: 'positive',
    scrapedAt: new Date(Date.UTC(2026, 0, 2)),
    ...overrides,
  };
}

export async function storeComments(
  service: TestApplication,
  workspaceId: string,
  comments: readonly NewComment[],
): Promise<void> {
  const repository = service.get(CommentsRepository);
  await repository.upsert(workspaceId, comments, service.app.get(DataSource).manager);
}
