import { DataSource } from 'typeorm';
import { HeardTextsRepository } from '../../src/collect/streams/heard-texts.repository.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { DELETED } from '../../src/platforms/platform.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';

const service = await startTestApplication();
const EARLY = new Date(Date.UTC(2026, 5, 1));
const LATE = new Date(Date.UTC(2026, 5, 2));

const POST = aPost(1);
const COMMENT = aComment(1);
const NEUTRAL = { sentimentScore: 0, sentimentLabel: 'neutral' } as const;

describe('a text that was read twice', () => {
  let workspaceId: string;
  beforeEach(async () => ({ workspaceId } = await service.createWorkspace()));

  const database = (): DataSource => service.get(DataSource);
  const posts = {
    /** Stores a post that was read then; the number is in all its values. */
    text: (number: number, scrapedAt: Date, annotations = {}) =>
      service.get(PostsRepository).upsert(
        workspaceId,
        [
          {
            ...aPost(number, {
              selftext: `text ${number}`,
              keywords: [`word${number}`],
              upvoteRatio: number / 9,
            }),
            id: POST.id,
            scrapedAt,
            annotations,
          },
        ],
        database().manager,
      ),
    /** Stores that the post was deleted, as it was known then. */
    deletion: (scrapedAt: Date) => {
      const values = { title: DELETED, author: DELETED, selftext: DELETED, url: null, hasMedia: false };
      const shown = { id: POST.id, ...values, mediaUrls: [], keywords: [], ...NEUTRAL };
      return service.get(PostsRepository).overwriteGone(workspaceId, [shown], scrapedAt, database().manager);
    },
  };
  const comments: typeof posts = {
    text: (number, scrapedAt, annotations = {}) =>
      service.get(CommentsRepository).upsert(
        workspaceId,
        [
          {
            ...aComment(number),
            id: COMMENT.id,
            commentId: COMMENT.commentId,
            scrapedAt,
            ...{ annotations },
          },
        ],
        database().manager,
      ) as never,
    deletion: (scrapedAt) => {
      const shown = { ...COMMENT, author: DELETED, body: DELETED, ...NEUTRAL };
      return service
        .get(CommentsRepository)
        .overwriteGone(workspaceId, [shown], scrapedAt, database().manager);
    },
  };
  /** All rows of the workspace's texts and what is kept with them. */
  const stored = async (): Promise<Record<string, object[]>> => {
    const tables = [
      'posts',
      'comments',
      'post_scores',
      'arrivals',
      'post_count_deltas',
      'comment_count_deltas',
    ];
    const rows: Record<string, object[]> = {};
    for (const table of tables)
      rows[table] = (
        await database().query<{ row: object }[]>(
          `SELECT to_jsonb(t) AS row FROM ${table} AS t WHERE workspace_id = $1 ORDER BY to_jsonb(t)::text`,
          [workspaceId],
        )
      ).map(({ row }) => row);
    return rows;
  };
  const KINDS = [
    ['post', posts],
    ['comment', comments],
  ] as const;

  it.each(KINDS)('keeps the later reading of a %s when the earlier is written after it', async (_, kind) => {
    await kind.text(1, LATE, { later: true });
    const before = await stored();
    await kind.text(2, EARLY, { earlier: true });
    expect(await stored()).toEqual(before);
  });

  it.each(KINDS)('keeps a deletion of a %s that was known after the reading', async (_, kind) => {
    await kind.text(1, EARLY);
    expect(await kind.deletion(LATE)).toHaveLength(1);
    const before = await stored();
    await kind.text(1, EARLY, { earlier: true });
    expect(await stored()).toEqual(before);
  });

  it.each(KINDS)('keeps the text of a %s that was read after a deletion was known', async (_, kind) => {
    await kind.text(1, LATE);
    const before = await stored();
    expect(await kind.deletion(EARLY)).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  it.each(KINDS)('of two readings of a %s at the same time takes the one written last', async (_, kind) => {
    await kind.text(1, LATE);
    await kind.text(2, LATE);
    expect(JSON.stringify(await stored())).toContain(kind === posts ? 'text 2' : aComment(2).body);
    expect(await kind.deletion(LATE)).toHaveLength(1);
    expect(JSON.stringify(await stored())).toContain(DELETED);
  });

  it.each(KINDS)('of a %s that a clock ahead of time dated is replaced by the next', async (_, kind) => {
    await kind.text(1, new Date(Date.now() + 86_400_000));
    await kind.text(2, new Date());
    expect(JSON.stringify(await stored())).toContain(kind === posts ? 'text 2' : aComment(2).body);
  });

  it('was read when its stream showed it, not when it was heard', async () => {
    const heard = (id: string) => ({ workspaceId, id, isComment: false, post: {}, listenerIds: [] });
    const add = (id: string, readAt: Date | null) =>
      service.get(HeardTextsRepository).add('feed', [heard(id)], readAt, database().manager);
    const ahead = new Date(Date.now() + 3_600_000);
    await Promise.all([add('shown', EARLY), add('ahead', ahead), add('now', null)]);
    const rows = await database().query<{ id: string; at: Date }[]>(
      'SELECT id, seen_at AS at FROM heard_texts WHERE workspace_id = $1',
      [workspaceId],
    );
    const at = new Map(rows.map((row) => [row.id, row.at]));
    expect(at.get('shown')).toEqual(EARLY);
    for (const id of ['ahead', 'now']) expect(at.get(id)!.getTime()).toBeLessThan(ahead.getTime());
  });

  it('is read once more when it was edited after a worker had claimed it', async () => {
    const texts = service.get(HeardTextsRepository);
    const { manager } = database();
    const text = { id: `edited_${workspaceId}`, isComment: false };
    await texts.add('edits', [{ ...text, workspaceId, post: {}, listenerIds: [] }], null, manager);
    const claimed = async () => (await texts.claim('edits', 1)).map(({ post }) => post);
    const settle = () => texts.settle(workspaceId, [text], 'stored', manager);
    const edit = (title: string) =>
      texts.readAgain('edits', [{ ...text, post: { title, createdUtc: EARLY } }], null, manager);
    await claimed();
    await edit('second');
    await settle();
    expect(await claimed()).toMatchObject([{ title: 'second' }]);
    await settle();
    expect(await claimed()).toEqual([]);
    await edit('third');
    expect(await claimed()).toMatchObject([{ title: 'third' }]);
  });

  it('says which posts keep a later reading', async () => {
    expect((await posts.text(1, LATE)).keptIds).toEqual(new Set());
    expect(await posts.text(1, EARLY)).toMatchObject({ newIds: new Set(), keptIds: new Set([POST.id]) });
  });
});
