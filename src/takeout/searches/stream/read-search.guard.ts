import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { parseId } from '../../../common/ids.js';
import type { AuthenticatedRequest } from '../../../http/request/request.js';
import { SavedSearchesRepository } from '../saved-searches.repository.js';
import { SearchStreams, type StreamStart } from './search-streams.service.js';

type StreamRequest = AuthenticatedRequest & { streamStart?: StreamStart | null };

/**
 * Finds the saved search of the path and the place where its stream begins, before the head of the response is sent:
 * later rows are in the stream. Rejects a request only with 503, when earlier rows cannot be read.
 */
@Injectable()
export class ReadSearch implements CanActivate {
  constructor(
    private readonly searches: SavedSearchesRepository,
    private readonly streams: SearchStreams,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StreamRequest>();
    const { workspaceId } = request.caller;
    const id = parseId('search', String(request.params.search_id));
    const search = id === null ? null : await this.searches.find(workspaceId, id);
    request.streamStart =
      search === null
        ? null
        : { search, position: await this.streams.positionOf(workspaceId, request.get('Last-Event-ID')) };
    return true;
  }
}

/** Result of {@link ReadSearch}; null when the workspace has no such search. */
export const FoundStart = createParamDecorator(
  (_: unknown, context: ExecutionContext): StreamStart | null =>
    context.switchToHttp().getRequest<StreamRequest>().streamStart ?? null,
);
