import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Keyed hash of a post or comment that an unfinished erasure has erased. */
@Entity('erased_hashes')
@ForeignKey('Erasure', ['workspaceId', 'erasureId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class ErasedHash {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  erasureId: string;

  @PrimaryColumn('bytea')
  hash: Buffer;
}
