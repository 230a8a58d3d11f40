import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Content that a stream reports as deleted, until it is overwritten in all workspaces. */
@Entity('stream_deletions')
@Index('stream_deletions_seen_at', ['seenAt'])
export class StreamDeletion {
  /** The id of a post or comment; of an account the beginning of the ids of its posts and comments. */
  @PrimaryColumn('text')
  id: string;

  @PrimaryColumn('boolean')
  isAccount: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  seenAt: Date;
}
