import { groupBy } from '../../common/collections.js';

/** What a thread is made of. */
export interface Threaded {
  id: string;
  /** Ids above it, nearest first. */
  parents: readonly string[];
  /** Epoch milliseconds; null where unknown. */
  time: number | null;
}

/** A reply with the message that it hangs on; `depth` is 0 below the root. */
export interface ThreadReply<T> {
  message: T;
  parent: string;
  depth: number;
}

/** A message that begins a thread, and all below it: parents before their replies, else in the order of time. */
export interface MailThread<T> {
  root: T;
  replies: ThreadReply<T>[];
}

/**
 * The threads of messages, each message once. A reply hangs on the message that it replies to; where that one is missing,
 * on the root of the thread that has another message above it. Where all above are missing, the first of those that name
 * the same oldest message is the root of the others. Linear in messages and their references.
 */
export function threadsOf<T extends Threaded>(messages: readonly T[]): MailThread<T>[] {
  const byId = new Map<string, T>();
  for (const message of inTime(messages)) if (!byId.has(message.id)) byId.set(message.id, message);
  const parents = parentsIn(byId);
  const rootOf = rootsBy(parents);
  const children = groupBy(byId.values(), ({ id }) => {
    const own = parents.get(id);
    return own === undefined ? null : own.isDirect ? own.id : rootOf(own.id);
  });
  return (children.get(null) ?? []).map((root) => ({ root, replies: repliesBelow(root, children) }));
}

/** All messages of a thread, the first one first. */
export const messagesOf = <T>({ root, replies }: MailThread<T>): T[] => [
  root,
  ...replies.map(({ message }) => message),
];

interface Parent {
  id: string;
  /** Whether it is the message that is replied to, and not another one above. */
  isDirect: boolean;
}

/** The message above each, without cycles: headers can claim anything. */
function parentsIn<T extends Threaded>(byId: ReadonlyMap<string, T>): Map<string, Parent> {
  const parents = new Map<string, Parent>();
  const orphans = new Map<string, string>();
  // Only below a message that already has replies a cycle can close.
  const answered = new Set<string>();
  const mayHangOn = (id: string, one: string): boolean => !answered.has(id) || !isAbove(id, one, parents);
  const hang = (id: string, parent: Parent): void => {
    parents.set(id, parent);
    answered.add(parent.id);
  };
  for (const { id, parents: above } of byId.values()) {
    const known = above.find((one) => byId.has(one) && mayHangOn(id, one));
    const oldest = above.at(-1);
    if (known !== undefined) hang(id, { id: known, isDirect: known === above[0] });
    else if (oldest !== undefined && !byId.has(oldest)) {
      const first = orphans.get(oldest);
      if (first === undefined) orphans.set(oldest, id);
      else if (mayHangOn(id, first)) hang(id, { id: first, isDirect: true });
    }
  }
  return parents;
}

/** Steps of a chain of replies that are followed. */
const MAX_STEPS = 1_000;

/** Whether a message is above another one, as far as is known; a chain that is too long counts as one. */
function isAbove(id: string, from: string, parents: ReadonlyMap<string, Parent>): boolean {
  let at: string | undefined = from;
  for (let step = 0; at !== undefined; step += 1) {
    if (at === id || step > MAX_STEPS) return true;
    at = parents.get(at)?.id;
  }
  return false;
}

/** Finds roots, each chain once. */
function rootsBy(parents: ReadonlyMap<string, Parent>): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    const chain: string[] = [];
    let at = id;
    while (!known.has(at) && parents.has(at)) {
      chain.push(at);
      at = parents.get(at)!.id;
    }
    const root = known.get(at) ?? at;
    for (const one of chain) known.set(one, root);
    return root;
  };
}

function repliesBelow<T extends Threaded>(
  root: T,
  children: ReadonlyMap<string | null, readonly T[]>,
): ThreadReply<T>[] {
  const replies: ThreadReply<T>[] = [];
  const open = [{ id: root.id, depth: -1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id: parent, depth } = next;
    for (const message of children.get(parent) ?? []) {
      replies.push({ message, parent, depth: depth + 1 });
      open.push({ id: message.id, depth: depth + 1 });
    }
  }
  return replies;
}

/** Messages without a time come first, and keep their order. */
function inTime<T extends Threaded>(messages: readonly T[]): T[] {
  return [...messages].sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
}
