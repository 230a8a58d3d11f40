import { ApiProperty } from '@nestjs/swagger';
import { LOG_LEVELS, type LogLevel } from '../../job-log-entry.entity.js';

/** Something that happened to a job. */
export class JobLogEntryDto {
  at: Date;
  @ApiProperty({ enum: LOG_LEVELS })
  level: LogLevel;
  /** Stable name of the event. */
  event: string;
  /** One sentence. */
  message: string;
  @ApiProperty({ type: 'object', additionalProperties: true })
  details: Record<string, unknown>;
}

export class JobLogDto {
  /** Oldest first: the first 100 and the newest 400. */
  entries: JobLogEntryDto[];
  /** Number of entries in between that are no longer stored. */
  left_out: number;
}
