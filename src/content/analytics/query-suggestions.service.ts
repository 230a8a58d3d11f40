import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { EventLoopTurn } from '../../common/event-loop-turn.js';
import { clientSignal } from '../../http/request/request-scope.js';
import { listenable, parseListened, splitListened } from '../../platforms/listening.js';
import { SOURCES } from '../../platforms/registry.js';
import { type SampledText, selectSample } from '../../search/recall/select-sample.js';
import { SearchDatabase } from '../../search/search-database.js';
import { SearchService } from '../../search/search.service.js';
import { readAbout } from '../../search/suggest/about.js';
import { type Uses, usesOf } from '../../search/suggest/name-uses.js';
import { formsOf, suggestedQueries } from '../../search/suggest/suggested-queries.js';
import { NO_WORD, sensesOf } from '../../search/suggest/word-senses.js';
import type { QuerySuggestionsDto, SuggestedPlaceDto } from './dto/query-suggestions.dto.js';
import { TABLES } from './subject.js';

const COUNTED_DAYS = 30;
const DAY_MS = 86_400_000;
const MOST_QUERIES = 4;
const MOST_PLACES = 10;
/** Forums of each table from which places are taken: some are no targets. */
const MOST_FORUMS = 20;
/** Texts with a name that are read, of posts and of comments. */
const MOST_TEXTS = 1_500;

/** A forum in which something is talked about. */
interface Place {
  forum: string;
  count: number;
}

/** Suggests queries and places from what a workspace holds. */
@Injectable()
export class QuerySuggestionsService {
  constructor(
    private readonly searches: SearchService,
    private readonly database: SearchDatabase,
    private readonly clock: Clock,
  ) {}

  /** At most 30 searches, one after another. Throws the problems of {@link SearchDatabase.run}. */
  async suggest(workspaceId: string, text: string): Promise<QuerySuggestionsDto> {
    const about = readAbout(text);
    const [name] = about.names;
    const senses = name === undefined || /\s/.test(name) ? NO_WORD : await sensesOf(name.toLowerCase());
    const uses = name !== undefined && senses.isWord ? await this.usesOf(workspaceId, name) : null;
    const rarest = await this.rarest(workspaceId, about.others);
    const found = suggestedQueries(about, rarest, { senses, uses }).slice(0, MOST_QUERIES);
    const places = found[0] === undefined ? [] : await this.places(workspaceId, found[0].q);
    const listen = listenedOf(places);
    const queries: QuerySuggestionsDto['queries'] = [];
    const since = new Date(this.clock.now().getTime() - COUNTED_DAYS * DAY_MS).toISOString();
    for (const { q, why, isBroad } of found)
      queries.push({
        q,
        listen: isBroad ? [] : listen,
        why,
        matches: await this.count(workspaceId, q, since),
      });
    const targets = places.flatMap((place) => placeOf(place, name ?? rarest.join(' '), found[0]!.q));
    return { queries, places: targets.slice(0, MOST_PLACES) };
  }

  private async count(workspaceId: string, q: string, created_after?: string): Promise<number> {
    let sum = 0;
    for (const table of Object.values(TABLES))
      sum += await this.searches.count({ table, workspaceId, filter: { q, created_after } });
    return sum;
  }

  /** Words that the fewest rows have first. */
  private async rarest(workspaceId: string, words: readonly string[]): Promise<string[]> {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, await this.count(workspaceId, `"${word}"`));
    return [...words].sort((a, b) => counts.get(a)! - counts.get(b)!);
  }

  private async usesOf(workspaceId: string, name: string): Promise<Uses> {
    const texts: string[] = [];
    for (const table of Object.values(TABLES)) {
      const request = { table, workspaceId, filter: { q: formsOf(name).join(' OR ') }, idColumn: 'id' };
      const rows = await this.searches.count(request);
      if (rows === 0) continue;
      const sample = selectSample(request, true, { rows, most: MOST_TEXTS });
      const found = await this.database.run(workspaceId, (run) => run<SampledText>(sample));
      texts.push(...found.map((row) => row.text));
    }
    return usesOf(texts, name, new EventLoopTurn(clientSignal()));
  }

  private async places(workspaceId: string, q: string): Promise<Place[]> {
    const counts = new Map<string, number>();
    for (const table of Object.values(TABLES)) {
      const request = { table, workspaceId, filter: { q }, by: ['forum'], limit: MOST_FORUMS };
      for (const { facet, value, count } of await this.searches.facets(request))
        if (facet === 'forum' && value !== null) counts.set(value, (counts.get(value) ?? 0) + count);
    }
    return [...counts].map(([forum, count]) => ({ forum, count })).sort((a, b) => b.count - a.count);
  }
}

/** Whole sources, and sites of the places that can be listened to. */
function listenedOf(places: readonly Place[]): string[] {
  const sites = places.flatMap(({ forum }) => {
    const { source, listening } = SOURCES.ofTarget(forum);
    const site = splitListened(forum).place?.split('@').at(-1);
    const found = listening?.placeOf === undefined ? null : parseListened(SOURCES, `${source}:${site}`);
    return found !== null && 'name' in found ? [found.name] : [];
  });
  const whole = listenable(SOURCES).filter(({ placeOf: site }) => site === undefined);
  return [...new Set([...whole.map(({ form }) => form), ...sites])];
}

function placeOf({ forum, count }: Place, name: string, q: string): SuggestedPlaceDto[] {
  const { prefix, searchIn } = SOURCES.ofTarget(forum);
  const search = searchIn?.(forum.slice(forum.indexOf(':') + 1), { name, q });
  const why = `${count} stored posts and comments of ${forum} match the first query.`;
  for (const target of search === undefined ? [forum] : [forum, `${prefix}:${search}`]) {
    const found = SOURCES.nameOf({ type: 'forum', name: target });
    if ('name' in found) return [{ target: found.name, why }];
  }
  return [];
}
