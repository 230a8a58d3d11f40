import { applyDecorators, Controller, Query, Res, type Type } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { BulkGet, Delete } from '../../http/changes/change.decorators.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { singleOf } from '../../search/choice.js';
import { ExportCommentsDto, ExportPostsDto } from './dto/export-query.dto.js';
import { ExportedCommentDto, ExportedPostDto } from './dto/exported-record.dto.js';
import { ExportDownload } from './export-download.js';
import { ExportsService } from './exports.service.js';
import { mediaType } from './export-format.js';
import { EXPORT_FORMATS } from './formats/export-formats.js';

const DOWNLOAD_METHODS = 'GET, HEAD, OPTIONS';

const ApiExportedFile = (record: Type): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(record),
    ApiOkResponse({
      description: 'The file, streamed',
      headers: {
        'Content-Disposition': {
          description:
            'A descriptive file name, e.g. `attachment; filename="posts-technology-2026-11-21.csv"`',
          schema: { type: 'string' },
        },
      },
      content: Object.fromEntries(
        EXPORT_FORMATS.all.map((format) => [
          mediaType(format),
          { schema: format.schemaOf({ $ref: getSchemaPath(record) }) },
        ]),
      ),
    }),
    ApiProblems('too_many_concurrent_requests'),
  );

@Controller('workspaces/:workspace_id/exports')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly download: ExportDownload,
  ) {}

  @BulkGet('posts')
  @ApiOperation({
    summary: 'Download posts as a file',
    description: 'Every field of the matching posts, at most 10,000, as a file of the given format.',
  })
  @ApiExportedFile(ExportedPostDto)
  async exportPosts(
    @WorkspaceId() workspaceId: string,
    @Query() { format = 'csv', bom = false, pseudonymize = false, ...posts }: ExportPostsDto,
    @Res() response: Response,
  ): Promise<void> {
    const sql = await this.exports.selectPosts(workspaceId, posts);
    const forum = posts.forum && singleOf(posts.forum);
    return this.download.send(
      { workspaceId, kind: 'posts', format, bom, pseudonymize, forum, sql },
      response,
    );
  }

  @BulkGet('comments')
  @ApiOperation({
    summary: 'Download comments as a file',
    description: 'Every field of the matching comments, at most 10,000, as a file of the given format.',
  })
  @ApiExportedFile(ExportedCommentDto)
  async exportComments(
    @WorkspaceId() workspaceId: string,
    @Query() { format = 'csv', bom = false, pseudonymize = false, ...comments }: ExportCommentsDto,
    @Res() response: Response,
  ): Promise<void> {
    const sql = await this.exports.selectComments(workspaceId, comments);
    const forum = comments.forum && singleOf(comments.forum);
    return this.download.send(
      { workspaceId, kind: 'comments', format, bom, pseudonymize, forum, sql },
      response,
    );
  }

  /** Keeps these two addresses from being read as the id of an export. */
  @Delete(['posts', 'comments'])
  @ApiExcludeEndpoint()
  refuseDelete(): never {
    throw new Problem(
      'method_not_allowed',
      `DELETE is not allowed at this path. Allowed: ${DOWNLOAD_METHODS}.`,
      {
        headers: { Allow: DOWNLOAD_METHODS },
      },
    );
  }
}
