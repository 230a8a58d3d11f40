import { Injectable } from '@nestjs/common';
import { RecallMeter } from '../../search/recall/recall-meter.js';
import type { RecallDto, RecallQueryDto } from './dto/recall.dto.js';
import { refuseUnknown, TABLES } from './subject.js';

/** Columns with the ids that the contract has. */
const ID_COLUMNS = { posts: 'id', comments: 'comment_id' };

/** Estimates how complete searches of posts and of comments are. */
@Injectable()
export class RecallService {
  constructor(private readonly meter: RecallMeter) {}

  /** How many rows a query misses, and words that would find them. Throws 400 for filters that the subject lacks. */
  measure(workspaceId: string, { of = 'posts', ...filter }: RecallQueryDto): Promise<RecallDto> {
    refuseUnknown(of, filter, [], 'of');
    return this.meter.measure({ table: TABLES[of], workspaceId, filter, idColumn: ID_COLUMNS[of] });
  }
}
