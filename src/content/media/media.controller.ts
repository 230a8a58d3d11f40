import type { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { ByteRange } from '../../http/files/byte-range.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiStoredFile } from '../../http/files/stored-file.openapi.js';
import { sendStoredFile } from '../../http/files/stored-file.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
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
  @ApiStoredFile()
  async get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') postId: string,
    @PathId('media', 'media_id') mediaId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    const file = await this.media.find(workspaceId, postId, mediaId);
    if (file === null) throw Problem.notFound('media file');
    // The name is derived from the hash, so that no text from the platform gets into a header.
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    const { contentType, size, sha256 } = file;
    const open = (range: ByteRange | null): Promise<Readable> => this.open(file, range);
    return sendStoredFile({ contentType, name, size, sha256, open }, request, response);
  }

  /** Throws 404 when the store does not have exactly these bytes. */
  private async open({ path, size }: MediaFile, range: ByteRange | null): Promise<Readable> {
    try {
      return await this.store.read(path, size, range);
    } catch (error) {
      if (error instanceof MediaMissing)
        throw new Problem('not_found', 'The media file is missing from the media store.', { cause: error });
      throw error;
    }
  }
}
