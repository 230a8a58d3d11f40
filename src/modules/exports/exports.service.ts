import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { camelCase } from '../../common/letter-case.js';
import type { PostFilterDto } from '../posts/dto/list-posts.dto.js';
import { POST_FIELDS } from '../posts/dto/post.dto.js';
import { selectPosts } from '../posts/post-filter.js';
import { postOrder } from '../posts/posts.service.js';
import { ExportSlots } from './export-slots.js';
import { ExportSource } from './export-source.js';

export const MAX_EXPORTED_POSTS = 10_000;

/** Properties of a post that an export reads. */
const PROPERTIES = POST_FIELDS.map(camelCase);

const SLOTS = { running: 3, waiting: 100, waitMs: 60_000 };

/** The posts of an export, as rows. */
export interface PostExport {
  rows: Readable;
  /** Frees what the export holds; call it however the export ends. */
  end(): Promise<void>;
}

@Injectable()
export class ExportsService {
  private readonly slots = new ExportSlots(SLOTS);

  constructor(private readonly source: ExportSource) {}

  /**
   * Full records in order, read as they are asked for. The first are there when this returns, so that a failure
   * can still be answered as one. `signal` ends the wait for a place.
   */
  async open(workspaceId: string, query: PostFilterDto, signal: AbortSignal): Promise<PostExport> {
    const { sort_by, sort_order, ...filter } = query;
    const order = postOrder({ sort_by, sort_order }, filter);
    const sql = selectPosts(workspaceId, PROPERTIES, filter, order, {
      after: null,
      limit: MAX_EXPORTED_POSTS,
    });
    const giveBack = await this.slots.take(signal);
    try {
      const cursor = await this.source.open(sql);
      const end = () => cursor.end().finally(giveBack);
      try {
        await once(cursor.rows, 'readable', { signal });
      } catch (error) {
        await cursor.end();
        throw error;
      }
      return { rows: cursor.rows, end };
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
