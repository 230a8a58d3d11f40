/** What keeps an alert from doing what it says. */
export class AlertWarningDto {
  /** Stable: `nothing_listened_to`, `no_mail_server`, `no_recipient`, `listened_posts_per_day` or `no_second_reader`. */
  code: string;
  /** A sentence. */
  message: string;
}
