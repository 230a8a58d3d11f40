import type pg from 'pg';
import { allTables } from '../../support/marked-places.js';
import { Violation } from '../violation.js';
import { HOUR_MS, type World, type WorldErasure, type WorldPost } from '../world.js';

/** Longer than all processes are down at a time. */
const LATEST_MS = 8 * HOUR_MS;

/** Whether a workspace is to forget a post or comment: because of its author, its post or the author of its post. */
export function isErased(
  { erasures }: World,
  workspaceId: string,
  { id, authors }: { id: string; authors: readonly string[] },
): boolean {
  return erasures.some(
    (one) => one.workspaceId === workspaceId && (one.postId === id || authors.includes(one.author ?? '')),
  );
}

/** Requested erasures are completed, and no table has a row that names what they erase. */
export async function checkErasures(control: pg.Client, world: World, until: number): Promise<void> {
  const { rows: late } = await control.query<{ id: string; phase: string }>(
    'SELECT id, phase FROM erasures WHERE completed_at IS NULL AND created_at < to_timestamp($1)',
    [(until - LATEST_MS) / 1_000],
  );
  if (late[0] !== undefined) throw new Violation(`Erasure ${late[0].id} is still at ${late[0].phase}`);
  const run = async <Row>(sql: string): Promise<Row[]> => (await control.query<Row & object>(sql)).rows;
  const tables = await allTables(run);
  for (const workspaceId of world.workspaces) {
    const own = world.erasures.filter((erasure) => erasure.workspaceId === workspaceId);
    const names = own.flatMap((erasure) => namesOf(world, erasure));
    if (names.length === 0) continue;
    const rows = tables.map(
      (table) => `SELECT '${table}' AS "table", to_jsonb(t)::text AS text FROM "${table}" AS t`,
    );
    const { rows: found } = await control.query<{ table: string; name: string }>(
      `SELECT "table", substring(text FROM $2) AS name FROM (${rows.join(' UNION ALL ')}) AS rows
       WHERE strpos(text, $1) > 0 AND text ~ $2 LIMIT 1`,
      [workspaceId, `\\m(${names.join('|')})\\M`],
    );
    if (found[0] !== undefined)
      throw new Violation(
        `Table ${found[0].table} has ${found[0].name}, which workspace ${workspaceId} has erased`,
      );
  }
}

/** Texts by which rows are recognised: the author's name, which all of its texts contain, and ids. */
function namesOf({ posts }: World, { author, postId }: WorldErasure): string[] {
  const ofPost = ({ row, comments }: WorldPost): string[] =>
    row.author === author || row.id === postId
      ? [row.id, ...comments.map(({ commentId }) => commentId)]
      : comments.filter((comment) => comment.author === author).map(({ commentId }) => commentId);
  return [...(author === null ? [] : [author]), ...[...posts.values()].flat().flatMap(ofPost)];
}
