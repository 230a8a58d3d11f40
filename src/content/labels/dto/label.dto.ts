import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, Matches } from 'class-validator';
import { Length } from '../../../http/parameters/text-length.js';

/** Maximum number of labellers of a workspace. */
export const MAX_LABELLERS = 20;
/** Maximum number of different labels of a labeller. */
export const MAX_DIFFERENT_LABELS = 1_000;

const LABELLER = /^[a-z0-9_]{1,40}$/;
const LABELLERS = /^[a-z0-9_]{1,40}(?:,[a-z0-9_]{1,40}){0,19}$/;
const NAME = 'must have 1 to 40 of the characters a-z, 0-9 and _';

export class CreateLabelsDto {
  /** Who labelled: a code name of lower-case letters, digits and `_`. */
  @Matches(LABELLER, { message: `labeller ${NAME}` })
  labeller: string;

  /** A table with the header `id,label` and one line for each post or comment. */
  @IsString()
  @Length(1, 250_000)
  csv: string;
}

export class CreatedLabelsDto {
  workspace_id: string;
  labeller: string;
  /** Number of labels that were added or replaced. */
  saved: number;
}

export class LabellerDto {
  labeller: string;
  /** Number of posts and comments with a label. */
  records: number;
  /** The most frequent 100, most frequent first. */
  labels: string[];
  labelled_at: Date;
}

export class LabellersDto {
  labellers: LabellerDto[];
}

export class AgreementQueryDto {
  /** Separated by commas; all if omitted. */
  @IsOptional()
  @Matches(LABELLERS, { message: `each of labellers ${NAME}` })
  labellers?: string;
}

export class PairAgreementDto {
  /** Two labellers. */
  labellers: string[];
  /** Number of records that both labelled. */
  records: number;
  /** Share of these records with the same label; null without records. */
  @ApiProperty({ type: 'number', format: 'double', nullable: true })
  observed: number | null;
  /** Cohen's kappa, unweighted; null when it is not defined. */
  @ApiProperty({ type: 'number', format: 'double', nullable: true })
  cohens_kappa: number | null;
}

export class AgreementDto {
  labellers: string[];
  pairs: PairAgreementDto[];
  /** Krippendorff's alpha for nominal labels, over all records with two labels or more; null when it is not defined. */
  @ApiProperty({ type: 'number', format: 'double', nullable: true })
  krippendorffs_alpha: number | null;
}
