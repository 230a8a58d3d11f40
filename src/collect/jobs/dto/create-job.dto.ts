import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { Length } from '../../../http/parameters/text-length.js';
import { TARGET_TYPES, type TargetType } from '../../../platforms/platform.js';
import { SCRAPE_MODES, type ScrapeMode } from '../job.entity.js';
import { IsTarget } from './target.decorator.js';

export class CreateJobDto {
  @IsString()
  @Length(1, 255)
  @IsTarget()
  target: string;

  @IsOptional()
  @IsIn(TARGET_TYPES)
  target_type?: TargetType = 'forum';

  @IsOptional()
  @IsIn(SCRAPE_MODES)
  mode?: ScrapeMode = 'full';

  /** Maximum number of posts to scrape. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10_000)
  limit?: number = 100;

  /** Default: true, but false with mode `history`. */
  @IsOptional()
  @IsBoolean()
  download_media?: boolean;

  /** Default: true, but false with mode `history`. */
  @IsOptional()
  @IsBoolean()
  scrape_comments?: boolean;

  /** Names of the plugins to run; a repeated name counts once. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  plugins?: string[] = [];
}
