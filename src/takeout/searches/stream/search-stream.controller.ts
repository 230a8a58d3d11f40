import { Controller, Query, UseGuards } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { CommentDto } from '../../../content/comments/dto/comment.dto.js';
import { PostDto } from '../../../content/posts/dto/post.dto.js';
import { PathId } from '../../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../../http/parameters/no-query.dto.js';
import { Problem } from '../../../http/problems/problem.js';
import type { Caller } from '../../../http/request/request.js';
import { RequestCaller } from '../../../http/request/workspace.decorator.js';
import { EventStreamRoute } from '../../../tenants/usage/event-stream.decorator.js';
import { FoundStart, ReadSearch } from './read-search.guard.js';
import { type SearchEvent, SearchStreams, type StreamStart } from './search-streams.service.js';

@Controller('workspaces/:workspace_id/searches/:search_id/stream')
export class SearchStreamController {
  constructor(private readonly streams: SearchStreams) {}

  @EventStreamRoute({
    summary: 'Follow a saved search',
    description:
      'Server-sent events: `post` or `comment` with the record of each result that is stored for the first time from now on, in the order of their transactions, and `heartbeat` at once and while there are none. A client that reconnects with `Last-Event-ID` within a day misses nothing and gets nothing twice.',
    events: { post: PostDto, comment: CommentDto },
  })
  @UseGuards(ReadSearch)
  follow(
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @PathId('search', 'search_id') _id: string,
    @FoundStart() start: StreamStart | null,
  ): Observable<SearchEvent> {
    if (start === null) throw Problem.notFound('search');
    return this.streams.follow(start, () => caller.isStillValid());
  }
}
