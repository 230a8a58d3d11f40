/** Jobs that ended in an hour, by their result, and the rows that they stored. */
export class EndedJobsDto {
  /** When the hour began, in UTC. */
  hour: Date;
  completed: number;
  failed: number;
  cancelled: number;
  /** Posts that these jobs stored. */
  posts: number;
  /** Comments that these jobs stored. */
  comments: number;
}
