import { ApiProperty, PickType } from '@nestjs/swagger';
import { plainToInstance, Transform } from 'class-transformer';
import { IsIn, IsInt, IsObject, IsOptional, Max, Min, ValidateBy, ValidateNested } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { CreateJobDto } from '../../jobs/dto/create-job.dto.js';
import { type Overlap, OVERLAPS, type ScheduleConfig } from '../schedule.entity.js';
import { configProblem, IsIanaTimeZone } from './config-limits.js';

const KNOWN_KEYS = [
  'limit',
  'download_media',
  'scrape_comments',
  'plugins',
  'timezone',
  'overlap',
  'jitter_seconds',
];

/** Whole configs by their checked part. Only the known keys are properties, so that unknown ones are not refused. */
const wholeConfigs = new WeakMap<object, ScheduleConfig>();

/** Settings of the jobs that a schedule creates, and of its timing. Unknown keys are kept as sent. */
export class ScheduleConfigDto extends PickType(CreateJobDto, [
  'limit',
  'download_media',
  'scrape_comments',
  'plugins',
] as const) {
  /** IANA time zone of the cron expression. */
  @IsOptional()
  @IsIanaTimeZone()
  timezone?: string = 'UTC';

  /** Whether to skip a run or queue its job while the schedule's last job is pending or running. */
  @IsOptional()
  @IsIn(OVERLAPS)
  overlap?: Overlap = 'skip';

  /** Delays each run by a fixed time of at most this many seconds, which differs between schedules. */
  @ApiProperty({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(3600)
  jitter_seconds?: number = 0;

  static of(config: Record<string, unknown>): ScheduleConfigDto {
    const known = Object.fromEntries(Object.entries(config).filter(([key]) => KNOWN_KEYS.includes(key)));
    const dto = plainToInstance(ScheduleConfigDto, known);
    wholeConfigs.set(dto, config);
    return dto;
  }
}

/** The config as it was sent, unknown keys included. */
export const wholeConfig = (dto: ScheduleConfigDto): ScheduleConfig => wholeConfigs.get(dto) ?? {};

/** A `config` field: known keys checked under their own names, the whole bounded. */
export const IsScheduleConfig = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
      isPlainObject(obj[key]) ? ScheduleConfigDto.of(obj[key]) : obj[key],
    ),
    IsOptional(),
    IsObject(),
    ValidateNested(),
    ValidateBy({
      name: 'isBoundedConfig',
      validator: {
        validate: (value: unknown) =>
          !(value instanceof ScheduleConfigDto) || configProblem(wholeConfig(value)) === null,
        defaultMessage: (context) => configProblem(wholeConfig(context!.value as ScheduleConfigDto))!,
      },
    }),
  );

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
