import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { normalized } from '../../common/strings.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { DEFAULT_PAGE_SIZE, type OffsetPageDto } from '../../http/pages/page.dto.js';
import { Problem } from '../../http/problems/problem.js';
import { SecretBox } from '../../infrastructure/secrets/secret-box.js';
import { SOURCES } from '../../platforms/registry.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { isAccount } from '../../content/suppressions/suppressed-subject.js';
import type { Subject } from '../../tenants/ports/erasure-subject.js';
import { Suppressions } from '../../content/suppressions/suppressions.service.js';
import { WorkspaceKeys } from '../../tenants/workspace-keys/workspace-keys.service.js';
import { type CreateErasureDto, ErasureDto, type ErasurePageDto } from './dto/erasure.dto.js';
import { type Erasure, noneRemoved } from './erasure.entity.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Maximum number of unfinished erasures of a workspace. */
const MAX_UNFINISHED = 1_000;

/** Requests erasures, which schedulers carry out, and lists them. */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly suppressions: Suppressions,
    private readonly keys: WorkspaceKeys,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly transactions: TransactionRunner,
  ) {}

  async list(
    workspaceId: string,
    { limit = DEFAULT_PAGE_SIZE, offset = 0 }: OffsetPageDto,
  ): Promise<ErasurePageDto> {
    const [found, total] = await this.erasures.list(workspaceId, { limit, offset });
    return {
      erasures: found.map((erasure) => ErasureDto.from(erasure)),
      total,
      has_more: offset + found.length < total,
    };
  }

  /** Throws 404. */
  async get(workspaceId: string, id: string): Promise<ErasureDto> {
    const erasure = await this.erasures.find(workspaceId, id);
    if (erasure === null) throw Problem.notFound('erasure');
    return ErasureDto.from(erasure);
  }

  /** Requests an erasure; its subject is not stored again from now on. Throws 400 and 403 `quota_exceeded`. */
  async create(workspaceId: string, request: CreateErasureDto): Promise<ErasureDto> {
    const subject = subjectOf(request);
    const { reason = '', suppress = true } = request;
    if (subject.kind === 'author' && reason.toLowerCase().includes(subject.author.toLowerCase()))
      throw Problem.validation([{ field: 'reason', message: 'reason must not name the account' }]);
    return this.request(workspaceId, subject, reason, suppress);
  }

  /** Requests the erasure of a stored post. Throws 404. */
  async deletePost(workspaceId: string, id: string): Promise<ErasureDto> {
    if ((await this.posts.find(workspaceId, id)) === null) throw Problem.notFound('post');
    return this.request(workspaceId, { kind: 'post', id }, '', true);
  }

  /** Requests the erasure of a stored comment. Throws 404. */
  async deleteComment(workspaceId: string, id: string): Promise<ErasureDto> {
    if ((await this.comments.find(workspaceId, id)) === null) throw Problem.notFound('comment');
    return this.request(workspaceId, { kind: 'comment', id }, '', true);
  }

  private async request(
    workspaceId: string,
    subject: Subject,
    reason: string,
    suppress: boolean,
  ): Promise<ErasureDto> {
    if ((await this.erasures.countUnfinished(workspaceId)) >= MAX_UNFINISHED)
      throw new Problem(
        'quota_exceeded',
        `A workspace has at most ${MAX_UNFINISHED} unfinished erasures. Wait until some are completed.`,
      );
    const hash = (await this.suppressions.hasher(workspaceId))(subject);
    const box = new SecretBox([await this.keys.get(workspaceId, 'erasures')]);
    const id = newId();
    const erasure: Omit<Erasure, 'workspaceId' | 'createdAt'> = {
      id,
      kind: subject.kind,
      source: subject.kind === 'author' ? subject.source : (SOURCES.ofId(subject.id)?.source ?? null),
      subjectHash: hash,
      sealedSubject: box.seal(JSON.stringify(subject), { workspaceId, purpose: `erasure:${id}` }),
      reason,
      suppress,
      suppressionId: null,
      phase: 'begin',
      scannedTo: null,
      removed: noneRemoved(),
      leaseUntil: null,
      completedAt: null,
    };
    await this.transactions.run(async (tx) => {
      if (suppress) erasure.suppressionId = await this.suppressions.add(workspaceId, subject.kind, hash, tx);
      await this.erasures.insert(workspaceId, erasure, tx);
    });
    return this.get(workspaceId, id);
  }
}

/** The subject of a request. Throws 400. */
export function subjectOf({ source, author, post_id, comment_id }: CreateErasureDto): Subject {
  if ([author, post_id, comment_id].filter((one) => one !== undefined).length !== 1)
    throw Problem.validation([
      { field: 'author', message: 'Exactly one of author, post_id and comment_id is required' },
    ]);
  if (source !== undefined && SOURCES.content(source) === undefined)
    throw Problem.validation([
      {
        field: 'source',
        message: `source must be one of ${SOURCES.contents.map((one) => one.source).join(', ')}`,
      },
    ]);
  const id = post_id ?? comment_id;
  if (id !== undefined) {
    const field = post_id === undefined ? 'comment_id' : 'post_id';
    const definition = SOURCES.ofId(id);
    if (definition === undefined)
      throw Problem.validation([{ field, message: `${field} must be an id as posts and comments show it` }]);
    if (source !== undefined && !SOURCES.sourcesOf(id).includes(source))
      throw Problem.validation([{ field: 'source', message: `${field} is an id of ${definition.source}` }]);
    return { kind: post_id === undefined ? 'comment' : 'post', id };
  }
  // As names of stored content are.
  const name = normalized(author!.trim().replace(/^\/?u\/|^@/i, ''));
  if (!isAccount(name))
    throw Problem.validation([{ field: 'author', message: 'author must be the name of an account' }]);
  return { kind: 'author', source: source ?? null, author: name };
}
