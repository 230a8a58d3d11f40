import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { PostRecord } from './post.entity.js';

/** Texts of a workspace's posts, for readers of many of them. */
@Injectable()
export class PostTextsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Ids and texts of the newest posts, each text up to a number of characters. */
  newest(
    workspaceId: string,
    limit: number,
    characters: number,
  ): Promise<Pick<PostRecord, 'id' | 'title' | 'selftext'>[]> {
    return this.dataSource.query(
      `SELECT id, title, left(selftext, $3) AS selftext FROM posts
       WHERE workspace_id = $1 ORDER BY created_utc DESC, id DESC LIMIT $2`,
      [workspaceId, limit, characters],
    );
  }
}
