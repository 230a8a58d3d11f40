import { Param, type PipeTransform } from '@nestjs/common';
import { type IdKind, parseId } from '../../common/ids.js';
import { Problem } from '../problems/problem.js';

class IdPipe implements PipeTransform<string, string> {
  constructor(
    private readonly kind: IdKind,
    private readonly field: string,
  ) {}

  transform(value: string): string {
    const id = parseId(this.kind, value);
    if (id === null)
      throw Problem.validation([{ field: this.field, message: `${this.field} must be a uuid` }]);
    return id;
  }
}

/**
 * Parses a path parameter into a bare uuid. Accepts the uuid and the prefixed id that responses show. Throws 400 for
 * anything else.
 */
export const PathId = (kind: IdKind, field: string): ParameterDecorator =>
  Param(field, new IdPipe(kind, field));
