import { fraction, hash } from './random.js';

/** Levels of comments in a response; deeper ones are reached through "continue this thread". */
export const LEVELS = 10;
/** Maximum number of comments in a tree response, whatever the requested limit. */
export const TREE_LIMIT = 500;
/** Number of comments of a tree response when the request sets no limit. */
export const DEFAULT_TREE_LIMIT = 200;
/** Comments returned for one id of a `morechildren` request, including the comment itself. */
const SUBTREE_LIMIT = 20;

/** Orders of comment trees. */
export const COMMENT_SORTS = ['confidence', 'top', 'new', 'old', 'controversial', 'qa'] as const;
export type CommentSort = (typeof COMMENT_SORTS)[number];

/** A comment of a response with its replies. Numbers are comment indexes. */
export interface Branch {
  index: number;
  /** From 0, counted from the root of the response. */
  depth: number;
  children: Branch[];
  /** Replies that the response omits and lists in a stub. */
  omitted: number[];
  /** Whether there are replies below the last level of this response. */
  hasDeeper: boolean;
}

/** The part of a thread that one response shows. */
export interface Tree {
  branches: Branch[];
  /** Top-level comments that the response omits and lists in a stub. */
  omitted: number[];
}

/**
 * The tree structure of a post's comments. Comments are numbered by age, so a parent's number is lower than those of
 * its children. Uses 20 bytes of memory per comment.
 */
export class Thread {
  /** -1 for a top-level comment. */
  readonly parent: Int32Array;
  /** From 0. */
  readonly depth: Int32Array;
  /** Size of the subtree, including the comment itself. */
  readonly subtreeSize: Int32Array;
  private readonly firstChild: Int32Array;
  private readonly childList: Int32Array;
  /** Whether responses contain stubs: in long threads, and in one of eight others. */
  private readonly hasStubs: boolean;

  /** Number of comments, including added ones. */
  readonly size: number;

  /** `added` are the parents of further comments, which every response delivers. */
  constructor(
    private readonly seed: number,
    private readonly generatedSize: number,
    added: readonly number[] = [],
  ) {
    const size = generatedSize + added.length;
    this.size = size;
    this.parent = new Int32Array(size);
    this.depth = new Int32Array(size);
    this.subtreeSize = new Int32Array(size).fill(1);
    this.firstChild = new Int32Array(size + 2);
    this.childList = new Int32Array(size);
    this.hasStubs = size > TREE_LIMIT || hash(seed, 1) % 8 === 0;
    const isArgument = hash(seed, 2) % 6 === 0;
    for (let i = 0; i < size; i++) {
      const parent = added[i - generatedSize] ?? this.chooseParent(i, isArgument);
      this.parent[i] = parent;
      this.depth[i] = parent < 0 ? 0 : this.depth[parent]! + 1;
    }
    this.index();
  }

  children(comment: number): Int32Array {
    return this.childList.subarray(this.firstChild[comment + 1], this.firstChild[comment + 2]);
  }

  /** Whether the comment is listed in a stub but never delivered. */
  isUndelivered(comment: number): boolean {
    return (
      this.hasStubs &&
      comment > 0 &&
      comment < this.generatedSize &&
      this.subtreeSize[comment] === 1 &&
      hash(this.seed, 4, comment) % 60 === 0
    );
  }

  score(comment: number): number {
    const bits = hash(this.seed, 5, comment);
    const share = fraction(bits);
    return bits % 14 === 0 ? -(bits % 30) : Math.max(1, Math.round(Math.exp(share ** 3 * 7)));
  }

  /** The response to a tree request: the whole thread, or one comment (`focus`) and its subtree. */
  tree(focus: number | null, limit: number, levels: number, sort: CommentSort): Tree {
    const shown = new Map<number, Branch>();
    const tree: Tree = { branches: [], omitted: [] };
    if (focus !== null) {
      if (this.isUndelivered(focus)) return tree;
      const branch: Branch = { index: focus, depth: 0, children: [], omitted: [], hasDeeper: false };
      shown.set(focus, branch);
      tree.branches.push(branch);
    }
    const enough = Math.min(limit, TREE_LIMIT);
    for (let i = focus === null ? 0 : focus + 1; i < this.size && shown.size < enough; i++) {
      const above = this.parent[i] as number;
      const parent = above < 0 ? null : shown.get(above);
      if (parent === undefined || (parent === null && focus !== null)) continue;
      const depth = parent === null ? 0 : parent.depth + 1;
      if (depth >= levels || this.isUndelivered(i) || this.isPruned(i)) continue;
      const branch: Branch = { index: i, depth, children: [], omitted: [], hasDeeper: false };
      shown.set(i, branch);
      (parent ? parent.children : tree.branches).push(branch);
    }
    if (focus === null) tree.omitted = this.notIn(shown, -1);
    const order = this.order(sort);
    for (const branch of shown.values()) {
      if (branch.children.length > 1) branch.children.sort(order);
      if (branch.depth === levels - 1) branch.hasDeeper = this.children(branch.index).length > 0;
      else branch.omitted = this.notIn(shown, branch.index);
    }
    if (tree.branches.length > 1) tree.branches.sort(order);
    return tree;
  }

  /**
   * The response to `morechildren`, flat, parents first: each requested comment with part of its subtree. That part
   * depends only on the comment, so ids can be batched in any way.
   */
  more(requested: readonly number[]): Branch[] {
    const shown = new Map<number, Branch>();
    for (const comment of requested) {
      if (comment >= this.size || this.isUndelivered(comment) || shown.has(comment)) continue;
      const subtree = [this.flat(comment)];
      shown.set(comment, subtree[0]!);
      for (let next = 0; next < subtree.length && subtree.length < SUBTREE_LIMIT; next++) {
        const branch = subtree[next]!;
        if (isLastLevel(branch.depth)) continue;
        for (const child of this.children(branch.index)) {
          if (subtree.length >= SUBTREE_LIMIT) break;
          if (shown.has(child) || this.isUndelivered(child) || this.isPruned(child)) continue;
          const below = this.flat(child);
          subtree.push(below);
          shown.set(child, below);
        }
      }
    }
    for (const branch of shown.values()) {
      if (isLastLevel(branch.depth)) branch.hasDeeper = this.children(branch.index).length > 0;
      else branch.omitted = this.notIn(shown, branch.index);
    }
    return [...shown.values()];
  }

  /** Number of comments that a stub stands for: those it lists and all below them. */
  subtreeSizeOf(comments: readonly number[]): number {
    return comments.reduce((sum, comment) => sum + this.subtreeSize[comment]!, 0);
  }

  private flat(comment: number): Branch {
    return { index: comment, depth: this.depth[comment]!, children: [], omitted: [], hasDeeper: false };
  }

  private notIn(shown: ReadonlyMap<number, Branch>, parent: number): number[] {
    const omitted: number[] = [];
    for (const child of this.children(parent)) if (!shown.has(child)) omitted.push(child);
    return omitted;
  }

  /** Whether the comment and its whole subtree are left to a stub. */
  private isPruned(comment: number): boolean {
    if (comment >= this.generatedSize) return false;
    return this.hasStubs && this.depth[comment]! > 0 && hash(this.seed, 6, comment) % 25 === 0;
  }

  private order(sort: CommentSort): (a: Branch, b: Branch) => number {
    if (sort === 'new') return (a, b) => b.index - a.index;
    if (sort === 'old') return (a, b) => a.index - b.index;
    return (a, b) => this.score(b.index) - this.score(a.index) || a.index - b.index;
  }

  private chooseParent(comment: number, isArgument: boolean): number {
    if (comment === 0) return -1;
    const bits = hash(this.seed, 3, comment);
    const share = fraction(bits);
    const [top, chain, reach] = isArgument ? [0.06, 0.9, 2] : [0.4, 0.65, 3];
    if (share < top) return -1;
    let parent = share < chain ? comment - 1 - (bits % Math.min(comment, reach)) : bits % comment;
    // Few arguments continue past the tenth level: most replies there go to a comment further up.
    const follows = (bits >>> 9) % 10 === 0 || (this.depth[parent]! >= LEVELS && (bits >>> 9) % 2 === 0);
    if (this.depth[parent]! >= LEVELS - 1 && !(follows && this.depth[parent]! < 3 * LEVELS)) {
      const level = (bits >>> 16) % 6;
      while (this.depth[parent]! > level) parent = this.parent[parent]!;
    }
    return parent;
  }

  private index(): void {
    for (let i = this.size - 1; i >= 0; i--) {
      const parent = this.parent[i]!;
      if (parent >= 0) this.subtreeSize[parent]! += this.subtreeSize[i]!;
      this.firstChild[parent + 2]!++;
    }
    for (let i = 1; i < this.firstChild.length; i++) this.firstChild[i]! += this.firstChild[i - 1]!;
    const next = this.firstChild.slice();
    for (let i = 0; i < this.size; i++) this.childList[next[this.parent[i]! + 1]!++] = i;
  }
}

/** Whether replies returned by id stop here: levels 10, 19, 28, as seen by a client that follows each continuation. */
function isLastLevel(depth: number): boolean {
  return depth > 0 && depth % (LEVELS - 1) === 0;
}
