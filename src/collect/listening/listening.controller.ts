import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { AlertsRepository } from '../../alerts/alert/alerts.repository.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { Problem } from '../../http/problems/problem.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { splitListened } from '../../platforms/listening.js';
import { SOURCES } from '../../platforms/registry.js';
import { type ListenedSource, ListenersRepository } from '../streams/listeners.repository.js';
import { type ListenedSourceDto, ListeningDto, type ListeningGapDto } from './listening.dto.js';

/** A source is live while it was read up to a time that is at most as long ago, unless its definition says otherwise. */
const LIVE_SECONDS = 60;

@Controller('workspaces/:workspace_id/alerts/:alert_id/listening')
export class ListeningController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly listeners: ListenersRepository,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Show what an alert hears',
    description: 'The sources of `listen` in its order, how far each has been read, and what was not read.',
  })
  async get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<ListeningDto> {
    const alert = await this.alerts.find(workspaceId, id);
    if (alert === null) throw Problem.notFound('alert');
    const found = await this.listeners.sources(workspaceId, id, alert.listen);
    return { sources: await Promise.all(found.map((source) => this.dtoOf(source))) };
  }

  private async dtoOf(source: ListenedSource): Promise<ListenedSourceDto> {
    const { newestAt, since } = source;
    const behind = newestAt && Math.max(0, Math.floor((Date.now() - newestAt.getTime()) / 1_000));
    return {
      source: source.source,
      state: stateOf(source, behind),
      read: source.read,
      matched: source.matched,
      since,
      behind_seconds: behind,
      gaps: since === null ? [] : await this.gapsOf(source, since),
    };
  }

  /** What was not read since a time. A source that refuses has not been read since its newest text. */
  private async gapsOf(
    { source, newestAt, refusal }: ListenedSource,
    since: Date,
  ): Promise<ListeningGapDto[]> {
    const gaps = await this.listeners.gaps(source, since);
    if (refusal === null) return gaps;
    const from = newestAt !== null && newestAt > since ? newestAt : since;
    return [{ from, to: new Date(), reason: refusal }, ...gaps];
  }
}

function stateOf(
  { source, refusal, isReading, since }: ListenedSource,
  behind: number | null,
): ListenedSourceDto['state'] {
  if (since === null) return 'resting';
  if (refusal !== null) return 'refused';
  if (!isReading) return 'resting';
  const limit = SOURCES.find(splitListened(source).source)?.listening?.liveSeconds ?? LIVE_SECONDS;
  return behind !== null && behind < limit ? 'live' : 'behind';
}
