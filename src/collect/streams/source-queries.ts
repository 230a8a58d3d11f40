import { AlertMatcher } from '../../alerts/matching/alert-matcher.js';
import { recordOf, recordOfComment } from '../../alerts/matching/alertable-record.js';
import { watches } from '../../alerts/alert/alert-scope.js';
import { SEARCH_TOPIC, type StreamText } from '../../platforms/stream-batch.js';
import type { Listener } from '../../tenants/ports/listeners.js';
import { languageOf } from '../../text/language/stated-language.js';
import type { Heard } from './heard-texts.repository.js';

/** With more changes than this since all queries were compiled, they are compiled again. */
const MAX_CHANGES = 1_000;

/** Who a text concerns: listeners by workspace, and topics that are searches. */
export interface Match {
  heard: Heard[];
  topics: string[];
}

/** A query that listens to a source: that of a listener, or of a topic that is a search. */
export type SourceQuery = Listener | { topic: string };
/** By keys that change with the query. */
export type SourceQueriesByKey = ReadonlyMap<string, SourceQuery>;

/** The key of a listener, which changes with what it finds. */
export const keyOfListener = ({ workspaceId, id, of, keywords, query, forums }: Listener): string =>
  JSON.stringify([workspaceId, id, of, keywords, query, forums]);

type MatchedRecord = Parameters<AlertMatcher['match']>[0];

/** Queries that were compiled together. */
class CompiledQueries {
  private constructor(
    readonly keys: ReadonlySet<string>,
    private readonly matcher: AlertMatcher,
  ) {}

  static async compile(queries: SourceQueriesByKey): Promise<CompiledQueries> {
    const all = [...queries].map(([id, query]) =>
      'topic' in query
        ? { id, keywords: [], query: query.topic.slice(SEARCH_TOPIC.length), forums: [] }
        : { ...query, id },
    );
    return new CompiledQueries(new Set(queries.keys()), await AlertMatcher.compile(all));
  }

  /** The keys of the queries that a text matches, those of listeners to posts and those to comments. */
  match(record: MatchedRecord): string[] {
    return this.keys.size === 0 ? [] : this.matcher.match(record).map(({ alertId }) => alertId);
  }
}

/**
 * The queries that listen to a source: a text is read once for all that were compiled together, and once more for those
 * that were added since.
 */
export class SourceQueries {
  private constructor(
    private readonly wanted: SourceQueriesByKey,
    private readonly first: CompiledQueries,
    private readonly added: CompiledQueries,
  ) {}

  static async compile(wanted: SourceQueriesByKey): Promise<SourceQueries> {
    const first = await CompiledQueries.compile(wanted);
    return new SourceQueries(wanted, first, await CompiledQueries.compile(new Map()));
  }

  /** Whether so many queries changed that all should be compiled together again. */
  get isWorn(): boolean {
    const kept = this.wanted.size - this.added.keys.size;
    return this.added.keys.size + this.first.keys.size - kept > MAX_CHANGES;
  }

  /** The same with other queries, of which only those are compiled that were not compiled with the first. */
  async changed(wanted: SourceQueriesByKey): Promise<SourceQueries> {
    const added = new Map([...wanted].filter(([key]) => !this.first.keys.has(key)));
    return new SourceQueries(wanted, this.first, await CompiledQueries.compile(added));
  }

  /** The workspaces with listeners, and the topics, that a text matches. */
  match(text: StreamText): Match {
    const { id, isComment, post } = text;
    const record = recordOfText(text);
    const heard = new Map<string, Heard>();
    const topics: string[] = [];
    for (const key of [...this.first.match(record), ...this.added.match(record)]) {
      const query = this.wanted.get(key);
      if (query === undefined) continue;
      if ('topic' in query) {
        if (!isComment) topics.push(query.topic);
        continue;
      }
      if (!watches(query.of, isComment ? 'comments' : 'posts')) continue;
      const one = heard.get(query.workspaceId) ?? {
        ...{ workspaceId: query.workspaceId, id, isComment, post },
        listenerIds: [],
      };
      one.listenerIds.push(query.id);
      heard.set(query.workspaceId, one);
    }
    return { heard: [...heard.values()], topics };
  }
}

function recordOfText({ languages, text: body, ...text }: StreamText): MatchedRecord {
  const { language } = languageOf(`${text.title}\n${body}`, languages);
  return text.isComment
    ? recordOfComment({ ...text, commentId: text.id, body, language })
    : recordOf({ ...text, selftext: body, language });
}
