import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../../common/ids.js';
import { SUBJECT_KINDS, type SubjectKind } from '../../../tenants/ports/erasure-subject.js';
import type { Suppression } from '../suppression.entity.js';

/** Content that is not stored again. */
export class SuppressionDto {
  /** `suppression_…`. */
  id: string;
  @ApiProperty({ enum: SUBJECT_KINDS })
  kind: SubjectKind;
  /** HMAC-SHA-256 of the name or id with a key of the workspace, in hex. The name itself is not stored. */
  hash: string;
  created_at: Date;

  static from({ id, kind, hash, createdAt }: Suppression): SuppressionDto {
    return { id: publicId('suppression', id), kind, hash: hash.toString('hex'), created_at: createdAt };
  }
}

export class SuppressionPageDto {
  suppressions: SuppressionDto[];
  total: number;
  has_more: boolean;
}
