import { ApiProperty } from '@nestjs/swagger';

/**
 * `live`: what is written now is read within a minute, on GitHub within five, of a feed within a quarter of an hour; `behind`: older texts are being read; `resting`: nothing is read, because no
 * process reads or the alert is paused; `refused`: the source refuses to be read, for the reason of the first gap.
 */
export const LISTENING_STATES = ['live', 'behind', 'resting', 'refused'] as const;

/** What was not read. */
export class ListeningGapDto {
  from: Date;
  to: Date;
  /** A sentence. */
  reason: string;
}

/** How a source is read for an alert. */
export class ListenedSourceDto {
  /** As in `listen`. */
  source: string;
  @ApiProperty({ enum: LISTENING_STATES })
  state: (typeof LISTENING_STATES)[number];
  /** Number of posts and comments of the source that were read since `since`. */
  read: number;
  /** Number of them that matched the alert, those beyond the quota included. */
  matched: number;
  /** When reading for the alert began; null when it has not begun. */
  @ApiProperty({ type: Date, nullable: true })
  since: Date | null;
  /** Seconds since the time up to which the source was read; null when it was not. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  behind_seconds: number | null;
  /** What was not read since `since`, the newest first; at most 101. That of a source that refuses lasts until now. */
  gaps: ListeningGapDto[];
}

export class ListeningDto {
  sources: ListenedSourceDto[];
}
