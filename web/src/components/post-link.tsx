import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page on which the link is. */
    from?: string;
  }
}

/** A link to a post or to one of its comments, which remembers the page to return to. */
export function PostLink({
  postId,
  commentId,
  className = 'text-accent',
  children,
}: {
  postId: string;
  commentId?: string;
  className?: string;
  children: ReactNode;
}) {
  const from = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Link
      to="/posts/$postId"
      params={{ postId }}
      {...(commentId !== undefined && { hash: commentId })}
      state={{ from }}
      className={className}
    >
      {children}
    </Link>
  );
}
