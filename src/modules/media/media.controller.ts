import type { Readable } from 'node:stream';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import { PathId } from '../../http/id.pipe.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { Problem } from '../../http/problem.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { MediaFileDto } from './dto/media-file.dto.js';
import type { MediaFile } from './media-file.entity.js';
import { MediaRepository } from './media.repository.js';
import { MediaMissing, MediaStore } from './media-store.js';

@Controller('workspaces/:workspace_id/posts/:post_id/media')
export class MediaController {
  constructor(
    private readonly media: MediaRepository,
    private readonly store: MediaStore,
  ) {}

  @Get()
  @ApiOperation({
    summary: "List a post's media files",
    description:
      'Downloaded files in the order of download. The list is empty for a post without files and for an unknown post.',
  })
  async list(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') postId: string,
  ): Promise<MediaFileDto[]> {
    return (await this.media.listOfPost(workspaceId, postId)).map((file) => MediaFileDto.from(file));
  }

  @Get(':media_id')
  @ApiOperation({ summary: 'Download a media file', description: 'The stored bytes, as an attachment.' })
  @ApiProduces('image/*', 'video/*')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  async get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') postId: string,
    @PathId('media', 'media_id') mediaId: string,
  ): Promise<StreamableFile> {
    const file = await this.media.find(workspaceId, postId, mediaId);
    if (file === null) throw Problem.notFound('media file');
    // The name is derived from the hash, so that no text from the platform gets into a header.
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    return new StreamableFile(await this.open(file), {
      type: file.contentType,
      length: file.size,
      disposition: `attachment; filename="${name}"`,
    });
  }

  /** Throws 404 when the store does not have exactly these bytes. */
  private async open({ path, size }: MediaFile): Promise<Readable> {
    try {
      return await this.store.read(path, size);
    } catch (error) {
      if (error instanceof MediaMissing)
        throw new Problem('not_found', 'The media file is missing from the media store.', { cause: error });
      throw error;
    }
  }
}
