import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sharedPath, withShared } from '../support/shared-folder.js';

/** The folder with the samples. */
export const SAMPLES = 'recordings-stackexchange/samples';

/** `describe` where the samples of Stack Exchange are available. */
export const { describe: describeStackExchange } = withShared(SAMPLES);

type Item = Record<string, unknown>;
type Question = Item & { question_id: number; tags: string[]; answers: Item[]; comments: Item[] };

/** The recorded questions, the last activity first, with invented texts, answers and comments. */
export function recordedQuestions(): Question[] {
  const files = readdirSync(sharedPath(SAMPLES)).filter((file) => file.startsWith('questions-'));
  const items = files.flatMap(
    (file) =>
      (JSON.parse(readFileSync(sharedPath(SAMPLES, file), 'utf8')) as { body: { items: Item[] } }).body.items,
  );
  const byId = new Map(items.map((item) => [item.question_id as number, item]));
  return [...byId.values()].map(withThread).sort((a, b) => activityOf(b) - activityOf(a));
}

function withThread(question: Item, at: number): Question {
  const id = question.question_id as number;
  const { owner } = question;
  // Comments have numbers of their own, which may be those of questions and answers.
  const comment = (number: number, post: number): Item => ({
    comment_id: number,
    post_id: post,
    body: `Comment &amp; <code>x&lt;y</code> ${number}`,
    score: 1,
    creation_date: 1_500_000_000,
    ...(at % 3 > 0 && { owner }),
  });
  const answers = Array.from({ length: at % 4 }, (_, index): Item => {
    const answer = id + 1 + index;
    return {
      answer_id: answer,
      question_id: id,
      body: `<p>Answer</p><pre><code>a\n  b</code></pre>`,
      score: index - 1,
      creation_date: 1_490_000_000 + index,
      owner: { user_type: 'does_not_exist', display_name: 'user&#39;1' },
      comment_count: 1,
      comments: [comment(answer, answer)],
    };
  });
  return {
    ...question,
    question_id: id,
    tags: question.tags as string[],
    body: '<p>Why is <em>this</em> so?</p>',
    answer_count: answers.length,
    answers,
    comment_count: 1,
    comments: [comment(id, id)],
  };
}

const activityOf = (question: Item): number => question.last_activity_date as number;

/** The ids of a tag's questions, and of all answers and comments below them. */
export function expectedThreads(tag: string): { posts: string[]; comments: string[] } {
  const tagged = recordedQuestions().filter(({ tags }) => tags.includes(tag));
  const idOf = (number: string | number): string => `se_stackoverflow_${number}`;
  return {
    posts: tagged.map((one) => idOf(one.question_id)),
    comments: tagged
      .flatMap(({ question_id: id, answers }) => [
        `c${id}`,
        ...answers.flatMap(({ answer_id: answer }) => [`${String(answer)}`, `c${String(answer)}`]),
      ])
      .map(idOf)
      .sort(),
  };
}

/** How the replayed API behaves. */
export interface ReplayOptions {
  questions: Question[];
  quota?: number;
  /** Answers that a listing holds of a question at most. */
  nestedAnswers?: number;
  /** Seconds for which each answer of a listing asks to wait before the same method is called again. */
  backoff?: number;
}

/** An API that refuses what the real one refuses: pages, ids, filters, the quota, and calls during a back-off. */
export class StackExchangeReplay {
  readonly requests: string[] = [];
  readonly violations: string[] = [];
  private readonly waits = new Map<string, number>();

  private constructor(
    private readonly options: ReplayOptions,
    private readonly server: Server,
  ) {}

  static async start(options: ReplayOptions): Promise<StackExchangeReplay> {
    const server = createServer((request, response) => {
      const [status, body] = replay.answer(new URL(request.url!, 'http://replay'));
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(body)));
    });
    const replay = new StackExchangeReplay(options, server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return replay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/2.3`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private answer({ pathname, searchParams: query }: URL): [number, Item] {
    const path = pathname.replace(/^\/2\.3/, '');
    const { quota = 300, backoff } = this.options;
    this.requests.push(path);
    const left = quota - this.requests.length;
    const method = path.replace(/[\d;]+/g, 'IDS');
    const error = (id: number, name: string, message: string): [number, Item] => {
      this.violations.push(`${path}: ${message}`);
      return [400, { error_id: id, error_name: name, error_message: message }];
    };
    if (left < 0 || (this.waits.get(method) ?? 0) > Date.now())
      return error(
        502,
        'throttle_violation',
        'too many requests from this IP, more requests available in 33635 seconds',
      );
    if (path === '/filters/create') return [200, { items: [{ filter: '!threads' }] }];
    const site = query.get('site');
    if (site !== 'stackoverflow') return error(400, 'bad_parameter', `No site found for name \`${site}\``);
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('pagesize') ?? 30)];
    if (size > 100) return error(400, 'bad_parameter', 'pagesize');
    if (page > 25 && !query.has('key'))
      return error(403, 'access_denied', 'page above 25 requires access token or app key');
    const ids = /\/([\d;]+)/.exec(path)?.[1]?.split(';').map(Number) ?? [];
    if (ids.length > 100) return error(400, 'bad_parameter', 'ids');
    const found = this.find(path, query, ids);
    if (found === null) return error(404, 'no_method', 'no method found with this name');
    const items = found.slice((page - 1) * size, page * size);
    if (backoff !== undefined) this.waits.set(method, Date.now() + backoff * 1_000);
    return [
      200,
      {
        items: query.get('filter') === '!threads' ? items : items.map(({ question_id }) => ({ question_id })),
        has_more: found.length > page * size,
        quota_max: quota,
        quota_remaining: left,
        ...(backoff !== undefined && { backoff }),
      },
    ];
  }

  private find(path: string, query: URLSearchParams, ids: readonly number[]): Item[] | null {
    const { questions, nestedAnswers = Infinity } = this.options;
    const listed = questions.map((one) => ({ ...one, answers: one.answers.slice(0, nestedAnswers) }));
    const answers = questions.flatMap((one) => one.answers);
    const comments = [...questions, ...answers].flatMap((one) => one.comments as Item[]);
    const until = Number(query.get('max') ?? Infinity);
    const ownedBy = (one: Item): boolean => ids.includes((one.owner as Item).user_id as number);
    switch (path.replace(/[\d;]+/, 'IDS')) {
      case '/questions':
        return listed.filter((one) => one.tags.includes(query.get('tagged')!) && activityOf(one) <= until);
      case '/users/IDS/questions':
        return listed.filter(ownedBy);
      case '/users/IDS':
        return questions.filter(ownedBy).slice(0, 1);
      case '/questions/IDS':
        return listed.filter((one) => ids.includes(one.question_id));
      case '/questions/IDS/answers':
        return questions.filter((one) => ids.includes(one.question_id)).flatMap((one) => one.answers);
      case '/answers/IDS':
        return answers.filter((one) => ids.includes(one.answer_id as number));
      case '/comments/IDS':
        return comments.filter((one) => ids.includes(one.comment_id as number));
      default:
        return /^\/tags\/.+\/info$/.test(path) ? [] : null;
    }
  }
}
