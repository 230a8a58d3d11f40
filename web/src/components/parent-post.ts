import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { Schemas } from '../api/client.ts';
import { postQuery } from '../api/posts.ts';
import { useSession } from '../api/session.ts';
import { useInView } from './in-view.ts';

/** The post of a comment, read once the referenced element is on the screen; null reads none. */
export function useParentPost<T extends Element>(
  postId: string | null,
): readonly [ref: RefObject<T | null>, post: Schemas['PostDto'] | undefined] {
  const { workspace_id } = useSession();
  const [ref, wasSeen] = useInView<T>();
  const { data } = useQuery({
    ...postQuery(workspace_id, postId ?? ''),
    enabled: wasSeen && postId !== null,
    retry: false,
  });
  return [ref, data];
}
