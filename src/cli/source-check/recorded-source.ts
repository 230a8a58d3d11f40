import { readFileSync } from 'node:fs';
import { TARGET_TYPES, type TargetType } from '../../platforms/platform.js';

/** An answer of a site. */
export interface RecordedAnswer {
  status: number;
  /** A text, or its bytes. */
  body: string | Buffer;
  headers?: Readonly<Record<string, string | undefined>>;
}

/** A request as it was received. */
export interface ReceivedRequest {
  method: string;
  authorization: string | undefined;
  /** The form of a `POST`. */
  body: string;
}

/** A target with all that a job stores of it. */
export interface RecordedTarget {
  target: string;
  targetType: TargetType;
  /** Ids. */
  posts: readonly string[];
  comments: readonly string[];
}

/** The answers of sites, and the records that a source must make of them. */
export interface RecordedSource {
  /** Host names, in lower case. */
  sites: readonly string[];
  /** The answer to the path and query of a site's address. */
  answer(site: string, address: string, request: ReceivedRequest): Promise<RecordedAnswer>;
  /** The variables by which a source that has no sites asks these addresses; `SOURCE_SITES` when absent. */
  variables?(addressOf: (site: string) => string): Record<string, string>;
  targets: readonly RecordedTarget[];
  /** Content that `delete` deletes, with the post of each comment; null when none is recorded. */
  deletions: {
    posts: readonly string[];
    comments: readonly { id: string; postId: string }[];
    delete(): Promise<void>;
  } | null;
}

type Json = Record<string, unknown>;

const NOT_FOUND: RecordedAnswer = { status: 404, body: '{}' };

/** Reads the answers in a file, which docs/sources-writing.md describes. Throws an error that names the wrong field. */
export function readRecordedSource(path: string): RecordedSource {
  const file = objectAt(JSON.parse(readFileSync(path, 'utf8')), 'the file');
  const answers = answersOf(file.answers, 'answers');
  const deleted = file.deleted === undefined ? null : objectAt(file.deleted, 'deleted');
  const later =
    deleted === null ? new Map<string, RecordedAnswer>() : answersOf(deleted.answers, 'deleted.answers');
  let isDeleted = false;
  return {
    sites: [...new Set([...answers.keys()].map((address) => new URL(address).host))],
    answer: (site, address) => {
      const key = keyOf(`https://${site}${address}`);
      return Promise.resolve((isDeleted && later.get(key)) || (answers.get(key) ?? NOT_FOUND));
    },
    targets: listAt(file.targets, 'targets').map((one, index) =>
      targetOf(objectAt(one, `targets[${index}]`)),
    ),
    deletions: deleted && {
      posts: idsAt(deleted.posts, 'deleted.posts'),
      comments: listAt(deleted.comments, 'deleted.comments').map((value) => {
        const { id, post_id: postId } = objectAt(value, 'deleted.comments');
        return { id: String(id), postId: String(postId) };
      }),
      delete: () => {
        isDeleted = true;
        return Promise.resolve();
      },
    },
  };
}

function answersOf(value: unknown, field: string): Map<string, RecordedAnswer> {
  return new Map(
    Object.entries(objectAt(value, field)).map(([address, answer]) => {
      if (!URL.canParse(address)) throw new Error(`${field}: ${address} is no address`);
      const { status, body, headers } = objectAt(answer, `${field}: ${address}`);
      return [
        keyOf(address),
        {
          status: typeof status === 'number' ? status : 200,
          body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
          headers: headers === undefined ? {} : textsAt(headers, `headers of ${address}`),
        },
      ];
    }),
  );
}

/** Parameters in any order are the same address. */
function keyOf(address: string): string {
  const url = new URL(address);
  url.searchParams.sort();
  return url.href;
}

function targetOf({ target, target_type: type, posts, comments }: Json): RecordedTarget {
  const targetType = TARGET_TYPES.find((one) => one === type);
  if (typeof target !== 'string' || targetType === undefined)
    throw new Error('targets: each needs `target` and a `target_type` of forum or user');
  return {
    target,
    targetType,
    posts: idsAt(posts, `posts of ${target}`),
    comments: idsAt(comments, `comments of ${target}`),
  };
}

function idsAt(value: unknown, field: string): string[] {
  return listAt(value, field).map(String);
}

function textsAt(value: unknown, field: string): Record<string, string> {
  return Object.fromEntries(Object.entries(objectAt(value, field)).map(([key, text]) => [key, String(text)]));
}

function listAt(value: unknown, field: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${field} must be a list`);
  return value;
}

function objectAt(value: unknown, field: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${field} must be an object`);
  return value as Json;
}
