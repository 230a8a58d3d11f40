/** The texts that an alert watches. */
export const ALERT_SCOPES = ['posts', 'comments', 'all'] as const;
export type AlertScope = (typeof ALERT_SCOPES)[number];

/** Whether an alert with this scope watches posts or comments. */
export const watches = (scope: AlertScope, kind: 'posts' | 'comments'): boolean =>
  scope === 'all' || scope === kind;

/** The parts of an alert that matching needs. */
export interface MatchableAlert {
  id: string;
  keywords: readonly string[];
  /** In the language of `q`; null for an alert of keywords only. */
  query?: string | null;
  /** Empty for every forum. Compared without regard to case. */
  forums: readonly string[];
}
