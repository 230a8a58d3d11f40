import { Injectable } from '@nestjs/common';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { commentIdOf } from '../../content/comments/comment-keys.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { SpikesService } from '../../content/analytics/spikes.service.js';
import { type FoundStory, StoriesService } from '../../content/stories/stories.service.js';
import { toStoryDto } from '../../content/stories/shown-story.js';
import type { Alert } from '../alert/alert.entity.js';
import type { AlertFinding } from '../matching/triggering.js';
import type { ReadingState } from './watched-alerts.repository.js';
import { nextReading, readableUntil, seriesOf } from './spike-condition.js';
import { newStoriesOf, nextStories, storiesOf } from './story-condition.js';

/** The spikes or stories that trigger an alert, and its state after they did. */
export interface AlertReading {
  findings: AlertFinding[];
  state: ReadingState;
}

/** Reads the matches of alerts on spikes and stories. */
@Injectable()
export class AlertReadings {
  constructor(
    private readonly spikes: SpikesService,
    private readonly stories: StoriesService,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
  ) {}

  /** What an alert finds at `now`; null for one that is not read. */
  async read(alert: Alert, now: Date): Promise<AlertReading | null> {
    if (!alert.isActive || alert.spikeReadUntil === null) return null;
    if (alert.story !== null) return this.readStories({ ...alert, story: alert.story }, now);
    const { workspaceId, spike, spikeReadUntil } = alert;
    if (spike === null) return null;
    const series = seriesOf({ ...alert, spike });
    const { spikes, readUntil } = await this.spikes.watch(
      workspaceId,
      series,
      spikeReadUntil,
      readableUntil(now),
    );
    return {
      findings: spikes.map((one) => ({
        key: `spike:${one.start.toISOString()}`,
        shown: { spike: { ...one, ...spike } },
      })),
      state: { spikeDueAt: nextReading(alert, now), spikeReadUntil: readUntil },
    };
  }

  private async readStories(
    alert: Alert & Record<'story', NonNullable<Alert['story']>>,
    now: Date,
  ): Promise<AlertReading> {
    const found = await this.stories.find(alert.workspaceId, storiesOf(alert));
    const { news, story } = newStoriesOf(alert.story, found.stories);
    const findings: AlertFinding[] = [];
    for (const one of news) findings.push(await this.findingOf(alert.workspaceId, one));
    return { findings, state: { spikeDueAt: nextStories(now), story } };
  }

  private async findingOf(workspaceId: string, story: FoundStory): Promise<AlertFinding> {
    const { records } = story;
    const commentIds = records.map(commentIdOf).filter((id) => id !== null);
    const [posts, comments] = await Promise.all([
      this.posts.findMany(workspaceId, records),
      this.comments.findMany(workspaceId, commentIds),
    ]);
    return {
      key: `story:${story.id}`,
      shown: { story: toStoryDto(story) },
      posts: records.flatMap((id) => posts.get(id) ?? []),
      comments: commentIds.flatMap((id) => comments.get(id) ?? []),
    };
  }
}
