import { Conversations, type Opening, type Reply, type Statement } from '../data/conversation.js';
import type { DataSet } from '../data/data-set.js';
import { type Answer, json } from '../server/answer.js';
import { htmlOf } from '../text/html.js';
import { slugOf } from '../text/text.js';
import { accountNumber, numberAt, placeOf } from '../wire/numbered.js';

const SITE = 'stackoverflow';
const TAG = 'rust';
const MAX_PAGE = 100;

interface Answered {
  answer_id: number;
  comments: { comment_id: number }[];
}

/** A synthetic API of Stack Exchange with one site and one tag. Maps a method to a response. */
export class StackExchangeRoutes {
  private readonly questions: Conversations;

  constructor(data: DataSet) {
    this.questions = new Conversations(data, 'programming');
  }

  answer(path: string, params: URLSearchParams): Answer {
    if (path === '/filters/create') return list([{ filter: 'synthetic' }], params);
    if (params.get('site') !== SITE)
      return json(400, {
        error_id: 400,
        error_name: 'bad_parameter',
        error_message: `No site found for name \`${params.get('site') ?? ''}\``,
      });
    const [, kind, ids, part] = /^\/(\w+)(?:\/([\w;-]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    const numbers = (ids ?? '').split(';').map(Number);
    const items = this.items(`${kind ?? ''}${part === undefined ? '' : `/${part}`}`, ids, numbers, params);
    return items === null
      ? json(404, { error_id: 404, error_name: 'no_method', error_message: 'no method found with this name' })
      : list(items, params);
  }

  private items(
    method: string,
    ids: string | undefined,
    numbers: readonly number[],
    params: URLSearchParams,
  ): object[] | null {
    switch (method) {
      case 'questions':
        return ids === undefined ? this.listed(params) : this.named(numbers).map((one) => this.question(one));
      case 'users/questions':
        return this.questions
          .all()
          .filter(({ author }) => accountNumber(author) === numbers[0])
          .map((one) => this.question(one));
      case 'users':
        return this.questions
          .all()
          .filter(({ author }) => accountNumber(author) === numbers[0])
          .slice(0, 1)
          .map(({ author }) => ownerOf(author));
      case 'tags/info':
        return ids === TAG ? [{ name: TAG, count: this.questions.count }] : [];
      case 'questions/answers':
        return this.named(numbers).flatMap((one) => this.answers(one));
      case 'answers':
        return this.threads(numbers).filter(({ answer_id: id }) => numbers.includes(id));
      case 'comments':
        return this.threads(numbers)
          .flatMap(({ comments }) => comments)
          .filter(({ comment_id: id }) => numbers.includes(id));
      case 'posts/comments':
        return this.threads(numbers)
          .filter(({ answer_id: id }) => numbers.includes(id))
          .flatMap(({ comments }) => comments);
      default:
        return null;
    }
  }

  /** By latest activity, for which the time of the question stands. */
  private listed(params: URLSearchParams): object[] {
    const until = Number(params.get('max') ?? Infinity);
    const all = (params.get('tagged') ?? TAG) === TAG ? this.questions.all() : [];
    return all.filter(({ createdAt }) => secondsOf(createdAt) <= until).map((one) => this.question(one));
  }

  private named(numbers: readonly number[]): Opening[] {
    return numbers.flatMap((number) => {
      const { index, comment } = placeOf(number);
      return comment === null ? (this.questions.find(index) ?? []) : [];
    });
  }

  /** The answers of the questions to which answers and comments belong. */
  private threads(numbers: readonly number[]): Answered[] {
    const indexes = new Set(numbers.map((number) => placeOf(number).index));
    return [...indexes].flatMap((index) => {
      const question = this.questions.find(index);
      return question === null ? [] : this.answers(question);
    });
  }

  private question(opening: Opening): object {
    const answers = this.answers(opening);
    return {
      ...written(opening),
      question_id: numberAt(opening.index),
      title: opening.title,
      tags: [TAG],
      link: `https://stackoverflow.com/questions/${numberAt(opening.index)}/${slugOf(opening.title)}`,
      last_activity_date: secondsOf(opening.createdAt),
      answer_count: answers.length,
      answers,
      comment_count: 0,
      comments: [],
    };
  }

  /** Direct replies are answers, the replies below them their comments. */
  private answers({ index }: Opening): Answered[] {
    const replies = this.questions.replies(index);
    const topOf = (at: number): number => {
      let top = at;
      while (replies[top]!.parent >= 0) top = replies[top]!.parent;
      return top;
    };
    const numbered = replies.map((reply, at) => ({ reply, at, top: topOf(at) }));
    return numbered
      .filter(({ at, top }) => at === top)
      .map(({ reply, at }) => {
        const below = numbered.filter((one) => one.top === at && one.at !== at);
        const comments = below.map((one) =>
          commentOf(one.reply, numberAt(index, one.at), numberAt(index, at)),
        );
        return {
          ...written(reply),
          answer_id: numberAt(index, at),
          question_id: numberAt(index),
          comment_count: comments.length,
          comments,
        };
      });
  }
}

/** A page of items in the wrapper of the API. */
function list(items: readonly object[], params: URLSearchParams): Answer {
  const size = Math.min(MAX_PAGE, Number(params.get('pagesize') ?? 30));
  const page = Number(params.get('page') ?? 1);
  return json(200, {
    items: items.slice((page - 1) * size, page * size),
    has_more: page * size < items.length,
    quota_max: 10_000,
    quota_remaining: 9_999,
  });
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);

const ownerOf = (name: string): object => ({
  user_id: accountNumber(name),
  display_name: name,
  user_type: 'registered',
});

const written = (statement: Statement): object => ({
  body: htmlOf(statement.text),
  score: statement.likes,
  creation_date: secondsOf(statement.createdAt),
  owner: ownerOf(statement.author),
});

const commentOf = (reply: Reply, number: number, answer: number) => ({
  ...written(reply),
  comment_id: number,
  post_id: answer,
});
