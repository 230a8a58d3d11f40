import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

/** Posts and comments to remove from payloads. */
export interface ErasedRecords {
  postIds: readonly string[];
  commentIds: readonly string[];
  /** Also those by this author, in any case, of a source; an empty prefix stands for every source. */
  author: { name: string; postPrefix: string; commentPrefix: string } | null;
}

/** Removes erased content from the payloads of events, delivered or not. */
@Injectable()
export class ErasedEventsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Removes posts, comments, and spikes and stories that show them from the payloads of alerts, and the id of the first record from
   * their unique keys; and all that the payloads of reports name that show them. Returns the ids of the events.
   */
  async eraseRecords(
    workspaceId: string,
    { postIds, commentIds, author }: ErasedRecords,
    tx: EntityManager,
  ): Promise<string[]> {
    const [events] = await tx.query<[{ id: string }[], number]>(ERASE_RECORDS, [
      workspaceId,
      postIds,
      commentIds,
      author?.name.toLowerCase() ?? null,
      author?.postPrefix ?? null,
      author?.commentPrefix ?? null,
    ]);
    const [reports] = await tx.query<[{ id: string }[], number]>(ERASE_REPORTS, [
      workspaceId,
      postIds,
      author?.name.toLowerCase() ?? null,
    ]);
    return [...events, ...reports].map(({ id }) => id);
  }

  /** Removes the target of jobs from the payloads of their events; returns the ids of the events. */
  async eraseTargets(workspaceId: string, jobIds: readonly string[], tx: EntityManager): Promise<string[]> {
    const [events] = await tx.query<[{ id: string }[], number]>(
      `UPDATE outbox_events SET data = data || '{"target": "[deleted]", "error_message": null}'
       WHERE workspace_id = $1 AND subject_kind = 'job' AND subject_id = ANY ($2) RETURNING id`,
      [workspaceId, jobIds],
    );
    return events.map(({ id }) => id);
  }

  /** Removes the filters of exports that name a text, in any case, from the payloads of their events. */
  async eraseFilters(workspaceId: string, text: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE outbox_events SET data = data || '{"filters": {}}'
       WHERE workspace_id = $1 AND subject_kind = 'export' AND strpos(lower(data::text), lower($2)) > 0`,
      [workspaceId, text],
    );
  }
}

/** Whether a record of a payload is to be removed. */
const IS_ERASED_POST = `(record->>'id' = ANY ($2)
  OR (lower(record->>'author') = $4 AND starts_with(record->>'id', $5)))`;
const IS_ERASED_COMMENT = `(record->>'comment_id' = ANY ($3) OR record->>'post_id' = ANY ($2)
  OR (lower(record->>'author') = $4 AND starts_with(record->>'comment_id', $6)))`;

const recordsOf = (field: string): string =>
  `jsonb_array_elements(CASE jsonb_typeof(data->'${field}') WHEN 'array' THEN data->'${field}' ELSE '[]' END) AS record`;
const kept = (field: string, isErased: string): string =>
  `(SELECT coalesce(jsonb_agg(record), '[]') FROM ${recordsOf(field)} WHERE ${isErased} IS NOT TRUE)`;
const FINDINGS = `jsonb_build_array(data->'spike', data->'story')`;
const SHOWN_BY_FINDINGS = `jsonb_path_query(${FINDINGS}, 'strict $.** ? (@.type() == "string")') AS shown (id)`;
/** A spike has no posts or comments next to it, and a story goes with any of those that it carries. */
const WITHOUT_FINDINGS = `(SELECT coalesce(jsonb_object_agg(key, 'null'::jsonb), '{}') FROM unnest('{spike,story}'::text[]) AS key WHERE data ? key)`;

const ERASE_RECORDS = `
  UPDATE outbox_events SET unique_key = regexp_replace(unique_key, ':first:.*', ':erased:' || id), data = data
    || jsonb_build_object('posts', ${kept('posts', IS_ERASED_POST)},
         'matched_posts', ${kept('posts', IS_ERASED_POST)}, 'comments', ${kept('comments', IS_ERASED_COMMENT)})
    || ${WITHOUT_FINDINGS}
  WHERE workspace_id = $1 AND subject_kind = 'alert' AND (
    EXISTS (SELECT FROM ${recordsOf('posts')} WHERE ${IS_ERASED_POST})
    OR EXISTS (SELECT FROM ${recordsOf('comments')} WHERE ${IS_ERASED_COMMENT})
    OR EXISTS (SELECT FROM ${SHOWN_BY_FINDINGS} WHERE shown.id #>> '{}' = ANY ($2 || $3))
    OR strpos(lower(${FINDINGS}::text), to_json($4::text)::text) > 0)
  RETURNING id`;

/** A report that names a post or author keeps its times only. */
const ERASE_REPORTS = `
  UPDATE outbox_events SET data = data || '{"name": "Report", "summary": "", "lines": [], "to_answer": [], "new_stories": [], "not_read": []}'
  WHERE workspace_id = $1 AND subject_kind = 'report' AND (
    EXISTS (SELECT FROM jsonb_path_query(data, 'strict $.**.post_id') AS shown (id) WHERE shown.id #>> '{}' = ANY ($2))
    OR strpos(lower(data::text), $3) > 0)
  RETURNING id`;
