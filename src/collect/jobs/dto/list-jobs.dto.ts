import { IsIn, IsOptional, IsString } from 'class-validator';
import { Length } from '../../../http/parameters/text-length.js';
import { OffsetPageDto } from '../../../http/pages/page.dto.js';
import { JOB_STATUSES, type JobStatus, SCRAPE_MODES, type ScrapeMode } from '../job.entity.js';

/** The fields of each job in a list: the fields of the interface's list, or the whole record. */
const JOB_VIEWS = ['list', 'full'] as const;

export class ViewJobDto {
  /** `full` adds the settings of the job. */
  @IsOptional()
  @IsIn(JOB_VIEWS)
  view?: (typeof JOB_VIEWS)[number] = 'list';
}

export class ListJobsDto extends OffsetPageDto {
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  /** Only jobs of this forum or user, in any spelling that jobs accept, or its address. */
  @IsOptional()
  @IsString()
  @Length(1, 255)
  target?: string;

  @IsOptional()
  @IsIn(SCRAPE_MODES)
  mode?: ScrapeMode;

  /** `full` returns full records instead of list items. */
  @IsOptional()
  @IsIn(JOB_VIEWS)
  view?: (typeof JOB_VIEWS)[number] = 'list';
}
