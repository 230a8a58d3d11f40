import { Controller, Get, Header, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { beginningOf } from '../../common/strings.js';
import { Post } from '../../http/changes/change.decorators.js';
import { TakesText } from '../../http/changes/request-body.interceptor.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { addressOf, readOpml, writeOpml } from '../../platforms/feed/opml.js';
import { SOURCES } from '../../platforms/registry.js';
import { AddedFeedsDto, type RefusedFeedDto } from './dto/added-feeds.dto.js';
import { SchedulesService } from './schedules.service.js';

const OPML = 'text/x-opml';
const MAX_FEEDS = 10_000;
const MAX_SHOWN = 500;
/** Feeds are read every hour, each at a minute of its own. */
const EACH = { cron_expression: '0 * * * *', mode: 'monitor', config: { jitter_seconds: 3_600 } } as const;
const NO_ROOM =
  'The quota schedules has no room for it. Delete schedules, or ask the operator for a higher limit';

@ApiTags('Schedules')
@Controller('workspaces/:workspace_id/sources/opml')
export class FeedSchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Post()
  @ApiOperation({
    summary: 'Create schedules from OPML',
    description:
      'Creates a schedule for each feed of an OPML list that has none, which reads it every hour (`mode` `monitor`). A list has at most 10,000 feeds.',
  })
  @TakesText(OPML, 'text/xml')
  @ApiProblems('quota_exceeded')
  async createFeedSchedules(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Req() { body }: Request,
  ): Promise<AddedFeedsDto> {
    const listed = feedsOf(body);
    const refused: RefusedFeedDto[] = [];
    const asListed = new Map<string, string>();
    for (const name of listed) {
      const found = SOURCES.nameOf({ type: 'forum', name });
      if ('name' in found) asListed.set(found.name, name);
      else refused.push(refusedFeed(name, found.refusal));
    }
    const result = await this.schedules.createMissing(workspaceId, new Set(asListed.keys()), EACH);
    for (const target of result.refused) refused.push(refusedFeed(asListed.get(target)!, NO_ROOM));
    const created = result.created.length;
    return { created, existing: listed.length - created - refused.length, refused };
  }

  @Get()
  @Header('Content-Type', `${OPML}; charset=utf-8`)
  @ApiOperation({
    summary: 'Export scheduled feeds as OPML',
    description: 'An OPML list of the feeds that have a schedule, for other readers and for `POST`.',
  })
  @ApiProduces(OPML)
  @ApiOkResponse({ schema: { type: 'string' } })
  async exportFeedSchedules(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
  ): Promise<string> {
    const targets = (await this.schedules.list(workspaceId)).map(({ target }) => target);
    return writeOpml([...new Set(targets)]);
  }
}

export const refusedFeed = (target: string, message: string): RefusedFeedDto => ({
  address: beginningOf(addressOf(target), MAX_SHOWN),
  message: beginningOf(message, 2 * MAX_SHOWN),
});

/** The targets in an OPML document. Throws 400 for another text, a hostile one, and too many feeds. */
function feedsOf(body: unknown): string[] {
  const listed = readOpml(typeof body === 'string' ? body : '');
  if (!('refusal' in listed) && listed.length <= MAX_FEEDS) return listed;
  const problem =
    'refusal' in listed
      ? `is not read, because ${listed.refusal}`
      : `must list at most ${MAX_FEEDS} feeds. Send it in parts`;
  throw Problem.validation([{ field: 'body', message: `body ${problem}` }]);
}
