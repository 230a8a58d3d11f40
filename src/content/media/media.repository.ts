import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { MediaFile } from './media-file.entity.js';

/** Statement that lists every stored file, for backups. */
export const STORED_MEDIA_FILES = 'SELECT path AS key, size AS bytes, sha256, content_type FROM media_files';

/** A file for a job to download. */
export interface PendingMedia {
  postId: string;
  url: string;
  /** Addresses at which a separate sound track may lie, to be tried in order. */
  audioUrls: readonly string[];
  /** Address of a copy for when the file is gone. */
  fallbackUrl: string | null;
}

/** A file to delete, and whether a remaining file has the same bytes. */
export type RemovableFile = Pick<MediaFile, 'id' | 'path'> & { isShared: boolean };

/** Downloaded files of posts. */
@Injectable()
export class MediaRepository {
  constructor(@InjectRepository(MediaFile) private readonly files: Repository<MediaFile>) {}

  /** The files of a post in download order. */
  listOfPost(workspaceId: string, postId: string): Promise<MediaFile[]> {
    return this.files.find({ where: { workspaceId, postId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Bytes of all files. */
  async totalBytes(workspaceId: string): Promise<number> {
    const [row] = await this.files.query<{ bytes: number }[]>(
      'SELECT bytes::float8 AS bytes FROM media_usage WHERE workspace_id = $1',
      [workspaceId],
    );
    return row?.bytes ?? 0;
  }

  /** The file; null when the post does not have it. */
  find(workspaceId: string, postId: string, id: string): Promise<MediaFile | null> {
    return this.files.findOneBy({ workspaceId, postId, id });
  }

  /** The given media that the workspace has not stored yet, each address once per post. */
  async withoutStored(workspaceId: string, media: readonly PendingMedia[]): Promise<PendingMedia[]> {
    if (media.length === 0) return [];
    const keyOf = (postId: string, hash: Buffer): string => `${postId} ${hash.toString('hex')}`;
    const missing = new Map(media.map((medium) => [keyOf(medium.postId, urlHash(medium.url)), medium]));
    const stored = await this.files.query<{ postId: string; hash: Buffer }[]>(
      `SELECT post_id AS "postId", url_hash AS hash FROM media_files
       WHERE workspace_id = $1 AND post_id = ANY($2)`,
      [workspaceId, [...new Set(media.map((medium) => medium.postId))]],
    );
    for (const { postId, hash } of stored) missing.delete(keyOf(postId, hash));
    return [...missing.values()];
  }

  /** Files of the given posts, and whether another post has the same bytes. */
  listOfPosts(
    workspaceId: string,
    postIds: readonly string[],
    tx: EntityManager = this.files.manager,
  ): Promise<RemovableFile[]> {
    return tx.query(
      `SELECT id, path, path IN (
         SELECT other.path FROM media_files AS other
         WHERE other.workspace_id = $1 AND other.post_id <> ALL ($2)) AS "isShared"
       FROM media_files WHERE workspace_id = $1 AND post_id = ANY ($2)`,
      [workspaceId, postIds],
    );
  }

  /**
   * Up to `limit` files that were stored before a given time, and whether a file not in this list has the same bytes.
   */
  listStoredBefore(workspaceId: string, before: Date, limit: number): Promise<RemovableFile[]> {
    return this.files.query(
      `WITH old AS MATERIALIZED (
         SELECT id, path FROM media_files WHERE workspace_id = $1 AND created_at < $2 LIMIT $3)
       SELECT id, path, path IN (
         SELECT other.path FROM media_files AS other
         WHERE other.workspace_id = $1 AND other.id NOT IN (SELECT id FROM old)) AS "isShared"
       FROM old`,
      [workspaceId, before, limit],
    );
  }

  /** Deletes the records of files, after the files themselves were deleted. */
  async delete(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(
      `WITH deleted AS (DELETE FROM media_files WHERE workspace_id = $1 AND id = ANY ($2) RETURNING size)
       UPDATE media_usage SET bytes = bytes - (SELECT coalesce(sum(size), 0) FROM deleted) WHERE workspace_id = $1`,
      [workspaceId, ids],
    );
  }

  /**
   * Inserts a file and returns the new total bytes of all files; null when the post already has one from this address.
   * Locks the workspace's total until the transaction ends.
   */
  async insert(workspaceId: string, file: MediaFile, tx: EntityManager): Promise<number | null> {
    const [row] = await tx.query<{ bytes: number }[]>(
      `WITH inserted AS (
         INSERT INTO media_files
           (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (workspace_id, post_id, url_hash) DO NOTHING RETURNING workspace_id, size
       )
       INSERT INTO media_usage AS usage (workspace_id, bytes) SELECT workspace_id, size FROM inserted
       ON CONFLICT (workspace_id) DO UPDATE SET bytes = usage.bytes + excluded.bytes
       RETURNING bytes::float8 AS bytes`,
      [
        workspaceId,
        file.id,
        file.postId,
        file.url,
        urlHash(file.url),
        file.contentType,
        file.size,
        file.sha256,
        file.path,
        file.createdAt,
      ],
    );
    return row?.bytes ?? null;
  }
}

/** SHA-256 of an address: a key of fixed length. */
export function urlHash(url: string): Buffer {
  return createHash('sha256').update(url).digest();
}
