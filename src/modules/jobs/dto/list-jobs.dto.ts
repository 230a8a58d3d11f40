import { IsIn, IsOptional } from 'class-validator';
import { OffsetPageDto } from '../../../http/offset-page.dto.js';
import { JOB_STATUSES, type JobStatus } from '../job.entity.js';

export class ListJobsDto extends OffsetPageDto {
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;
}
