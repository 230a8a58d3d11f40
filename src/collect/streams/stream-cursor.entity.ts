import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the stream of a source has been read, and which process reads it. */
@Entity('stream_cursors')
export class StreamCursor {
  @PrimaryColumn('text')
  source: string;

  /** Position up to which everything is stored; null when nothing has been read. */
  @Column('text', { nullable: true })
  position: string | null;

  /** The process that reads; null while none does. */
  @Column('uuid', { nullable: true })
  holder: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  /** Number of texts that were read. */
  @Column('bigint', { default: 0 })
  read: string;

  /** When the newest event before the position happened; null when nothing has been read. */
  @Column('timestamptz', { nullable: true })
  newestAt: Date | null;

  /** Why the source refuses to be read, as a sentence; null when it does not. */
  @Column('text', { nullable: true })
  refusal: string | null;
}
