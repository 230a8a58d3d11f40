import type { MediaFile } from '../media-file.entity.js';

/** A stored media file of a post. */
export class MediaFileDto {
  id: string;
  /** URL of the file on the platform. */
  url: string;
  content_type: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** Path of the file, relative to the base URL of this service. */
  path: string;
  downloaded_at: Date;

  static from(file: MediaFile): MediaFileDto {
    const post = encodeURIComponent(file.postId);
    return {
      id: file.id,
      url: file.url,
      content_type: file.contentType,
      size: file.size,
      sha256: file.sha256,
      path: `/api/v1/workspaces/${file.workspaceId}/posts/${post}/media/${file.id}`,
      downloaded_at: file.createdAt,
    };
  }
}
