import { Param, type PipeTransform } from '@nestjs/common';
import type { IdKind } from '../../common/ids.js';
import { requireId } from './require-id.js';

class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly kind: IdKind,
    private readonly field: string,
  ) {}

  transform(value: string): string {
    return requireId(this.kind, value, this.field);
  }
}

/**
 * Parses a path parameter into a bare uuid. Accepts the uuid and the prefixed id that responses show. Throws 400 for
 * anything else.
 */
export const PathId = (kind: IdKind, field: string): ParameterDecorator =>
  Param(field, new IdPipe(kind, field));
