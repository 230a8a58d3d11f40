import { type FindOptionsOrder, type FindOptionsWhere, In, type Repository } from 'typeorm';
import { groupBy } from '../../common/collections.js';
import { DEFAULT_PAGE_SIZE, type OffsetPageDto } from '../../http/pages/page.dto.js';
import type { WrittenFiles, WrittenPart } from './written-files.js';

/** Exports or datasets, and their files, as their workspace sees them. */
export abstract class WrittenFilesRepository<
  Written extends WrittenFiles & { createdAt: Date },
  Part extends WrittenPart,
> {
  /** `owner` is the property of a file with the id of what it belongs to. */
  protected constructor(
    private readonly written: Repository<Written>,
    protected readonly parts: Repository<Part>,
    private readonly owner: keyof Part,
  ) {}

  find(workspaceId: string, id: string): Promise<Written | null> {
    return this.written.findOneBy({ workspaceId, id } as FindOptionsWhere<Written>);
  }

  /** Newest first, each with its files, and the total number. */
  async page(
    workspaceId: string,
    { limit = DEFAULT_PAGE_SIZE, offset = 0 }: OffsetPageDto,
  ): Promise<{ found: [Written, Part[]][]; total: number; has_more: boolean }> {
    const [found, total] = await this.written.findAndCount({
      where: { workspaceId } as FindOptionsWhere<Written>,
      order: { createdAt: 'DESC', id: 'DESC' } as FindOptionsOrder<Written>,
      take: limit,
      skip: offset,
    });
    const ids = found.map(({ id }) => id);
    const parts = groupBy(await this.listParts(workspaceId, ids), (part) => part[this.owner] as string);
    return {
      found: found.map((one) => [one, parts.get(one.id) ?? []]),
      total,
      has_more: offset + found.length < total,
    };
  }

  /** Finished files, in order. */
  listParts(workspaceId: string, ids: readonly string[]): Promise<Part[]> {
    return this.parts.find({
      where: { workspaceId, [this.owner]: In([...ids]) } as FindOptionsWhere<Part>,
      order: { [this.owner]: 'ASC', number: 'ASC' } as FindOptionsOrder<Part>,
    });
  }

  /** One finished file; null when there is none with this number. */
  findPart(workspaceId: string, id: string, number: number): Promise<Part | null> {
    return this.parts.findOneBy({ workspaceId, [this.owner]: id, number } as FindOptionsWhere<Part>);
  }

  /** Total size of all finished files in bytes. */
  async storedBytes(workspaceId: string): Promise<number> {
    const [{ bytes }] = await this.parts.query<[{ bytes: number }]>(
      `SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM ${this.parts.metadata.tableName} WHERE workspace_id = $1`,
      [workspaceId],
    );
    return bytes;
  }
}
