import type { DataSet } from '../data/data-set.js';
import type { Forum } from '../data/forums.js';
import { hash } from '../data/random.js';
import { commentText, postText } from '../text/text.js';

/** Distance between the numbers of stories; their comments get the numbers in between. */
const STRIDE = 5_000;
const FIRST_ITEM = 1_000_000;
/** Number of newest stories of which every second one is on the front page. */
const FRONT_PAGE = 60;
/** Number of newest stories whose comments the search finds. */
const COMMENTED = 100;

/** A node of a thread as `items/{id}` returns it. */
export interface ThreadNode {
  id: number;
  type: 'story' | 'poll' | 'job' | 'comment';
  author: string | null;
  title: string | null;
  url: string | null;
  text: string | null;
  points: number | null;
  parent_id: number | null;
  story_id: number | null;
  created_at: string;
  created_at_i: number;
  children: ThreadNode[];
  options: [];
}

/** A story of the synthetic Hacker News. */
export interface Story {
  index: number;
  id: number;
  tags: string[];
  title: string;
  url: string | null;
  text: string | null;
  author: string;
  points: number;
  createdAt: number;
  comments: number;
}

/** A comment of a story, as the search shows it. */
export interface StoryComment {
  node: ThreadNode;
  above: Story;
  tags: string[];
  createdAt: number;
}

/** The synthetic Hacker News: the posts and comments of one generated forum, as stories with numeric ids. */
export class HackerNewsItems {
  private readonly forum: Forum;

  constructor(private readonly data: DataSet) {
    this.forum = data.forum('technology') ?? data.forums[0]!;
  }

  /** The stories that exist now, newest first, without dead ones. Creation times never increase. */
  *newest(): Generator<Story> {
    for (let index = this.data.count(this.forum) - 1; index >= 0; index--) {
      const story = this.story(index);
      if (story !== null) yield story;
    }
  }

  /** The stories and the comments of the newest of them that exist now, newest first. */
  newestWithComments(): (Story | StoryComment)[] {
    const stories = [...this.newest()];
    const comments = stories.slice(0, COMMENTED).flatMap((above) =>
      below(this.thread(above)).map((node) => ({
        ...{ node, above, createdAt: node.created_at_i },
        tags: ['comment', `author_${node.author}`, `story_${above.id}`],
      })),
    );
    return [...stories, ...comments].sort((a, b) => b.createdAt - a.createdAt);
  }

  /** A story with its thread, or a comment with the replies below it; null when there is none, or it is dead or deleted. */
  node(id: number): ThreadNode | null {
    const story = this.find(id - ((id - FIRST_ITEM) % STRIDE));
    const thread = story && this.thread(story);
    return thread?.id === id ? thread : ((thread && below(thread).find((node) => node.id === id)) ?? null);
  }

  /** The story with a number; null when it does not exist or is dead. */
  find(id: number): Story | null {
    const index = (id - FIRST_ITEM) / STRIDE;
    return Number.isInteger(index) && index >= 0 && index < this.data.count(this.forum)
      ? this.story(index)
      : null;
  }

  /**
   * The whole thread of a story. Deleted comments with replies have neither author nor text; other deleted comments are
   * left out.
   */
  thread(story: Story): ThreadNode {
    const { data, forum } = this;
    const { parent, size } = data.thread(forum, story.index);
    const root = this.nodeOf(story.id, story.createdAt, {
      type: story.tags.includes('job') ? 'job' : story.tags.includes('poll') ? 'poll' : 'story',
      author: story.author,
      title: story.title,
      url: story.url,
      text: story.text,
      points: story.points,
      story_id: story.id,
    });
    const nodes = Array.from({ length: Math.min(size, STRIDE - 1) }, (_one, comment) => {
      const bits = hash(data.seed, 302, story.index, comment);
      const isDeleted = bits % 50 === 0;
      return this.nodeOf(story.id + 1 + comment, data.commentedAt(forum, story.index, comment), {
        author: isDeleted ? null : (data.authors.names[data.authors.anyone(bits)] ?? null),
        text: isDeleted ? null : htmlOf(commentText(forum.subject, bits)),
        story_id: isDeleted ? null : story.id,
      });
    });
    // A parent's number is lower than its replies', so going backwards every node already has its replies.
    for (let comment = nodes.length - 1; comment >= 0; comment--) {
      const node = nodes[comment]!;
      const above = parent[comment]! < 0 ? root : nodes[parent[comment]!]!;
      node.parent_id = above.id;
      if (node.author !== null || node.children.length > 0) above.children.unshift(node);
    }
    return root;
  }

  private story(index: number): Story | null {
    const { data, forum } = this;
    if (data.isRemoved(forum, index)) return null;
    const bits = hash(data.seed, 301, index);
    const { kind, prefix } = KINDS[bits % 20] ?? STORY;
    const hasText = kind !== 'story' && kind !== 'show_hn';
    const { title, body } = postText(forum.subject, bits, hasText);
    const author = data.authors.names[data.author(forum, index) ?? 0]!;
    const id = FIRST_ITEM + index * STRIDE;
    const isOnFrontPage = index >= data.count(forum) - FRONT_PAGE && index % 2 === 0;
    const type = kind === 'job' || kind === 'poll' ? kind : 'story';
    return {
      index,
      id,
      tags: [
        ...new Set([type, kind, ...(isOnFrontPage ? ['front_page'] : []), `author_${author}`, `story_${id}`]),
      ],
      title: prefix + title,
      url: hasText ? null : `https://news.example/${index}`,
      text: hasText ? htmlOf(body) : null,
      author,
      points: Math.max(1, data.score(forum, index)),
      createdAt: data.createdAt(forum, index),
      comments: kind === 'job' ? 0 : data.threadSize(forum, index),
    };
  }

  private nodeOf(id: number, createdAt: number, own: Partial<ThreadNode>): ThreadNode {
    return {
      id,
      type: 'comment',
      author: null,
      title: null,
      url: null,
      text: null,
      points: null,
      parent_id: null,
      story_id: null,
      created_at: new Date(createdAt * 1_000).toISOString(),
      created_at_i: createdAt,
      children: [],
      options: [],
      ...own,
    };
  }
}

/** The comments below a node that are not deleted. */
const below = ({ children }: ThreadNode): ThreadNode[] =>
  children.flatMap((node) => [...(node.author === null ? [] : [node]), ...below(node)]);

const STORY = { kind: 'story', prefix: '' };
const KINDS: Record<number, { kind: string; prefix: string }> = {
  0: { kind: 'ask_hn', prefix: 'Ask HN: ' },
  1: { kind: 'show_hn', prefix: 'Show HN: ' },
  2: { kind: 'job', prefix: '' },
  3: { kind: 'poll', prefix: 'Poll: ' },
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '/': '&#x2F;',
};

/** A text as Hacker News formats it: entities, and `<p>` between paragraphs. */
function htmlOf(text: string): string {
  return text.replace(/[&<>"'/]/g, (character) => ENTITIES[character]!).replaceAll('\n\n', '<p>');
}
