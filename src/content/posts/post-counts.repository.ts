import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

/** Number of posts of a forum. */
export interface ForumCount {
  forum: string;
  postCount: number;
}

/** Numbers of posts, from the deltas that triggers keep in the transactions that store or delete them. */
@Injectable()
export class PostCountsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Number of all posts. */
  async countAll(workspaceId: string): Promise<number> {
    const [{ total }] = await this.dataSource.query<[{ total: number }]>(
      'SELECT coalesce(sum(rows), 0)::int AS total FROM post_count_deltas WHERE workspace_id = $1',
      [workspaceId],
    );
    return total;
  }

  /** Forums by number of posts, largest first; spellings that differ only in case count as one forum. */
  countByForum(workspaceId: string): Promise<ForumCount[]> {
    return this.dataSource.query(
      `SELECT min(forum) AS forum, sum(posts)::int AS "postCount"
       FROM (SELECT forum, sum(rows) AS posts FROM post_count_deltas WHERE workspace_id = $1
             GROUP BY forum HAVING sum(rows) > 0) AS spelling
       GROUP BY lower(forum) ORDER BY "postCount" DESC, forum`,
      [workspaceId],
    );
  }
}
