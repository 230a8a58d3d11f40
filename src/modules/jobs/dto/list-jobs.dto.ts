import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { IntegerFromQuery } from '../../../common/query-transforms.js';
import { JOB_STATUSES, type JobStatus } from '../job.entity.js';

export class ListJobsDto {
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number = 50;

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  offset?: number = 0;
}
