import { api, dataOf } from '../../api/client.ts';
import type { Comment } from './thread.ts';

/**
 * All stored comments of a post, oldest first, each once. They are streamed as exports, because lists would take a
 * request per 200. An export ends after 10,000 comments; the next one begins at the time of the last comment, until one
 * has no others. `onProgress` gets the number of comments read so far. Throws the errors of {@link dataOf}, and the
 * browser's error when an export is interrupted.
 */
export async function readComments(
  workspace_id: string,
  post_id: string,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<Comment[]> {
  const comments = new Map<string, Comment>();
  let before: number;
  let created_after: string | undefined;
  do {
    before = comments.size;
    const body = await dataOf(
      api.GET('/api/v1/workspaces/{workspace_id}/exports/comments', {
        params: {
          path: { workspace_id },
          query: { post_id, created_after, format: 'ndjson', sort_by: 'created_utc', sort_order: 'asc' },
        },
        parseAs: 'stream',
        signal,
      }),
    );
    for await (const lines of linesOf(body as ReadableStream<Uint8Array>)) {
      for (const line of lines) {
        const comment = JSON.parse(line) as Comment;
        comments.set(comment.comment_id, comment);
        created_after = comment.created_utc;
      }
      onProgress(comments.size);
    }
  } while (comments.size > before);
  return [...comments.values()];
}

/** Yields the complete lines of each chunk of a text. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string[], void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield lines;
  }
}
