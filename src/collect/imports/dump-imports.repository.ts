import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { DumpImport } from './dump-import.entity.js';

/** Stores the progress of dump imports into one workspace. */
@Injectable()
export class DumpImportsRepository {
  constructor(@InjectRepository(DumpImport) private readonly imports: Repository<DumpImport>) {}

  /** The import of a file with a selection; null when it was never started. */
  find(workspaceId: string, fingerprint: Buffer): Promise<DumpImport | null> {
    return this.imports.findOneBy({ workspaceId, fingerprint });
  }

  /** Records the progress of an import. */
  async save(
    workspaceId: string,
    progress: Omit<DumpImport, 'workspaceId'>,
    tx: EntityManager,
  ): Promise<void> {
    await tx.upsert(DumpImport, { workspaceId, ...progress }, ['workspaceId', 'fingerprint']);
  }
}
