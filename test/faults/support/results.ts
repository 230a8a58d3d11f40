import { query } from '../../../scripts/bench/support/query.js';

/** The stored result of a job; two results differ if any row or count differs. */
export interface Result {
  status: string;
  error: string | null;
  posts: number;
  comments: number;
  media: number;
  storedPosts: number;
  storedComments: number;
  storedMedia: number;
  /** Digests of all stored rows. */
  postRows: string;
  commentRows: string;
  mediaRows: string;
  events: number;
}

/** The stored result of the workspace's only job. */
export async function resultOf(databaseUrl: string, workspaceId: string): Promise<Result> {
  const [job] = await query<Pick<Result, 'status' | 'error' | 'posts' | 'comments' | 'media' | 'events'>>(
    databaseUrl,
    `SELECT status, error_message AS error, posts_scraped AS posts, comments_scraped AS comments,
       media_downloaded AS media,
       (SELECT count(*)::int FROM outbox_events WHERE workspace_id = $1) AS events
     FROM jobs WHERE workspace_id = $1`,
    [workspaceId],
  );
  const posts = await rowsOf(databaseUrl, workspaceId, 'posts', ['scraped_at']);
  const comments = await rowsOf(databaseUrl, workspaceId, 'comments', ['scraped_at']);
  const media = await rowsOf(databaseUrl, workspaceId, 'media_files', ['id', 'created_at', 'path']);
  return {
    ...job!,
    storedPosts: posts.count,
    storedComments: comments.count,
    storedMedia: media.count,
    postRows: posts.digest,
    commentRows: comments.digest,
    mediaRows: media.digest,
  };
}

/** The number of a workspace's rows and a digest of them without the `volatile` columns. */
export async function rowsOf(
  databaseUrl: string,
  workspaceId: string,
  table: 'posts' | 'comments' | 'media_files',
  volatile: readonly string[],
): Promise<{ count: number; digest: string }> {
  const [found] = await query<{ count: number; digest: string }>(
    databaseUrl,
    `SELECT count(*)::int AS count, coalesce(md5(string_agg(line, E'\\n' ORDER BY line COLLATE "C")), '') AS digest
     FROM (SELECT (to_jsonb(${table}) - $2::text[])::text AS line
       FROM ${table} WHERE workspace_id = $1) AS lines`,
    [workspaceId, ['workspace_id', ...volatile]],
  );
  return found!;
}
