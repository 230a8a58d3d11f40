import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { Problem } from '../../http/problem.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { MediaFileDto } from './dto/media-file.dto.js';
import { MediaRepository } from './media.repository.js';
import { MediaStore } from './media-store.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

@Controller('workspaces/:workspace_id/posts/:post_id/media')
export class MediaController {
  constructor(
    private readonly media: MediaRepository,
    private readonly store: MediaStore,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the media files of a post',
    description: 'Files that were downloaded; a post without any, or an unknown one, has an empty list.',
  })
  async list(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') postId: string,
  ): Promise<MediaFileDto[]> {
    return (await this.media.listOfPost(workspaceId, postId)).map((file) => MediaFileDto.from(file));
  }

  @Get(':media_id')
  @ApiOperation({ summary: 'Download a media file' })
  @ApiProduces('image/*', 'video/*')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiProblems('not_found')
  async get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') postId: string,
    @Param('media_id') mediaId: string,
  ): Promise<StreamableFile> {
    const file = UUID.test(mediaId) ? await this.media.find(workspaceId, postId, mediaId) : null;
    if (file === null) throw Problem.notFound('media file');
    // Names come from the hash, so that nothing of the platform's reaches a header.
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    return new StreamableFile(await this.store.read(file.path), {
      type: file.contentType,
      length: file.size,
      disposition: `attachment; filename="${name}"`,
    });
  }
}
