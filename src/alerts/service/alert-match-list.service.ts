import { Injectable } from '@nestjs/common';
import { publicId } from '../../common/ids.js';
import { DEFAULT_PAGE_SIZE, type OffsetPageDto } from '../../http/pages/page.dto.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { AlertMatchesRepository } from '../matching/alert-matches.repository.js';
import type { AlertMatchPageDto } from './alert-match.dto.js';
import { AlertsService } from './alerts.service.js';
import { toMatch } from './matched-posts.js';

/** Lists the posts that an alert matched. */
@Injectable()
export class AlertMatchListService {
  constructor(
    private readonly alerts: AlertsService,
    private readonly matches: AlertMatchesRepository,
    private readonly posts: PostsRepository,
  ) {}

  /** Throws 404 when the workspace has no such alert. */
  async list(workspaceId: string, id: string, query: OffsetPageDto): Promise<AlertMatchPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, offset = 0 } = query;
    await this.alerts.get(workspaceId, id);
    const [rows, total] = await Promise.all([
      this.matches.list(workspaceId, id, { limit, offset }),
      this.matches.count(workspaceId, id),
    ]);
    const posts = await this.posts.summaries(
      workspaceId,
      rows.map(({ postId }) => postId),
    );
    return {
      matches: rows.flatMap((row) => {
        const post = posts.get(row.postId);
        if (post === undefined) return [];
        const match = toMatch(post, row.keywords);
        return [{ ...match, job_id: publicId('job', row.jobId), matched_at: row.matchedAt }];
      }),
      total,
      has_more: offset + rows.length < total,
    };
  }
}
