/** What ended in an hour: jobs by their result, and what they stored. */
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
