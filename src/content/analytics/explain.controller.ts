import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { COMMENT_SEARCH } from '../comments/comment-filter.js';
import { POST_SEARCH } from '../posts/post-filter.js';
import { ExplainedQueryDto, ExplainQueryDto } from '../../search/dto/explain.dto.js';
import { explainQuery } from '../../search/query/explain.js';
import { hasField } from '../../search/sql/query-sql.js';

@Controller('workspaces/:workspace_id/search')
export class ExplainController {
  @Get('explain')
  @ApiOperation({
    summary: 'Explain a query',
    description:
      'How `q` is understood: in normal form, as a tree, and with a notice for everything that is not searched as it was written. Reads no data.',
  })
  explain(@Query() { of, q = '' }: ExplainQueryDto): ExplainedQueryDto {
    const table = of === 'comments' ? COMMENT_SEARCH : POST_SEARCH;
    return explainQuery(q, (field) => !hasField(table, field));
  }
}
