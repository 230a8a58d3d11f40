import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../common/clock.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { PostDto } from '../posts/dto/post.dto.js';
import { ExportPostsDto } from './dto/export-posts.dto.js';
import { CONTENT_TYPE, fileName } from './export-format.js';
import { writersOf } from './export-writers.js';
import { ExportsService } from './exports.service.js';

/** Longest time that one download may take. */
const MAX_DOWNLOAD_MS = 3_600_000;

@Controller('workspaces/:workspace_id/exports')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('posts')
  @ApiOperation({
    summary: 'Download posts as a file',
    description: 'Every field of the matching posts, at most 10,000, as CSV (RFC 4180) or as a JSON array.',
  })
  @ApiExtraModels(PostDto)
  @ApiOkResponse({
    description: 'The file, sent as it is read',
    headers: {
      'Content-Disposition': {
        description: 'A telling file name, e.g. `attachment; filename="posts-technology-2026-11-21.csv"`',
        schema: { type: 'string' },
      },
    },
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(PostDto) } } },
    },
  })
  @ApiProblems('too_many_concurrent_requests')
  async exportPosts(
    @WorkspaceId() workspaceId: string,
    @Query() query: ExportPostsDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { format = 'csv', ...posts } = query;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const headers = {
      'Content-Type': CONTENT_TYPE[format],
      'Content-Disposition': `attachment; filename="${fileName(format, posts.forum, this.clock.now())}"`,
    };
    response.vary('Accept-Encoding');
    if (request.method === 'HEAD') {
      response.set(headers).end();
      return;
    }
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(MAX_DOWNLOAD_MS)]);
    const source = await this.exports.open(workspaceId, posts, signal);
    try {
      // A client that reads nothing for so long has gone.
      response.setTimeout(this.environment.EXPORT_STALL_TIMEOUT_MS, () => response.destroy());
      response.set(headers);
      const compressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
      if (compressed) response.set('Content-Encoding', 'gzip');
      const compression = compressed ? [createGzip()] : [];
      await pipeline([source.rows, ...writersOf(format), ...compression, response], { signal });
    } catch (error) {
      // No client is left to be answered.
      if (!gone.signal.aborted) throw error;
    } finally {
      source.end();
    }
  }
}
