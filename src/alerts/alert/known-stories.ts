/** The state of an alert on stories. */
export interface KnownStories {
  /** Ids of stories of which it does not notify (again); null before its first reading. */
  known: string[] | null;
}
