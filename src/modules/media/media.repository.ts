import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { MediaFile } from './media-file.entity.js';

/** A file that a job is to download. */
export interface WantedMedia {
  postId: string;
  url: string;
  audioUrl: string | null;
}

@Injectable()
export class MediaRepository {
  constructor(@InjectRepository(MediaFile) private readonly files: Repository<MediaFile>) {}

  /** In the order they were downloaded. */
  listOfPost(workspaceId: string, postId: string): Promise<MediaFile[]> {
    return this.files.find({ where: { workspaceId, postId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, postId: string, id: string): Promise<MediaFile | null> {
    return this.files.findOneBy({ workspaceId, postId, id });
  }

  /** Notes what a job is to download; files that the workspace has already are left out. */
  async want(
    workspaceId: string,
    jobId: string,
    wanted: readonly WantedMedia[],
    tx: EntityManager,
  ): Promise<void> {
    if (wanted.length === 0) return;
    await tx.query(
      `INSERT INTO job_media (workspace_id, job_id, post_id, url, audio_url)
       SELECT $1, $2, wanted.* FROM unnest($3::text[], $4::text[], $5::text[]) AS wanted (post_id, url, audio_url)
       WHERE NOT EXISTS (SELECT 1 FROM media_files
         WHERE workspace_id = $1 AND post_id = wanted.post_id AND url = wanted.url)
       ON CONFLICT DO NOTHING`,
      [
        workspaceId,
        jobId,
        wanted.map((medium) => medium.postId),
        wanted.map((medium) => medium.url),
        wanted.map((medium) => medium.audioUrl),
      ],
    );
  }

  /** Bytes of the files that a job has downloaded so far. */
  async bytesOf(workspaceId: string, jobId: string): Promise<number> {
    const [{ bytes }] = await this.files.query<[{ bytes: number }]>(
      `SELECT coalesce(sum(size), 0)::float8 AS bytes FROM job_media
       JOIN media_files USING (workspace_id, post_id, url)
       WHERE workspace_id = $1 AND job_id = $2 AND NOT pending`,
      [workspaceId, jobId],
    );
    return bytes;
  }

  pending(workspaceId: string, jobId: string): Promise<WantedMedia[]> {
    return this.files.query(
      `SELECT post_id AS "postId", url, audio_url AS "audioUrl" FROM job_media
       WHERE workspace_id = $1 AND job_id = $2 AND pending ORDER BY post_id, url`,
      [workspaceId, jobId],
    );
  }

  /** Ends one download; `file` is null when there is nothing to keep. False when the job had ended it before. */
  async settle(
    workspaceId: string,
    jobId: string,
    wanted: WantedMedia,
    file: MediaFile | null,
    tx: EntityManager,
  ): Promise<boolean> {
    const [, settled] = await tx.query<[unknown[], number]>(
      `UPDATE job_media SET pending = false
       WHERE workspace_id = $1 AND job_id = $2 AND post_id = $3 AND url = $4 AND pending`,
      [workspaceId, jobId, wanted.postId, wanted.url],
    );
    if (settled === 1 && file !== null)
      await tx.query(
        `INSERT INTO media_files (workspace_id, id, post_id, url, content_type, size, sha256, path, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (workspace_id, post_id, url) DO NOTHING`,
        [
          workspaceId,
          file.id,
          file.postId,
          file.url,
          file.contentType,
          file.size,
          file.sha256,
          file.path,
          file.createdAt,
        ],
      );
    return settled === 1;
  }
}
