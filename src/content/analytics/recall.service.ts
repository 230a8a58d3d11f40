import { Injectable } from '@nestjs/common';
import { RecallMeter, type SampledTable } from '../../search/recall/recall-meter.js';
import type { SearchFilter } from '../../search/search-request.js';
import type { Subject } from './dto/analytics.dto.js';
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
    return this.measureTogether(workspaceId, [of], filter);
  }

  /** As {@link RecallService.measure}, over the rows of all subjects together. */
  measureTogether(
    workspaceId: string,
    [first, ...more]: readonly [Subject, ...Subject[]],
    filter: SearchFilter,
  ): Promise<RecallDto> {
    const rowsOf = (of: Subject): SampledTable => ({
      table: TABLES[of],
      workspaceId,
      filter,
      idColumn: ID_COLUMNS[of],
    });
    return this.meter.measure([rowsOf(first), ...more.map(rowsOf)]);
  }
}
