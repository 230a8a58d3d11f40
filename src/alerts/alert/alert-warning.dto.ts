/** What keeps an alert from doing what it says. */
export class AlertWarningDto {
  /** Stable: `listened_posts_per_day`. */
  code: string;
  /** A sentence. */
  message: string;
}
