import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The id of a post with a topic. Jobs read the post itself from its platform. */
@Entity('stream_posts')
@Index('stream_posts_newest', ['source', 'topic', 'position'])
@Index('stream_posts_of_id', ['source', 'id'])
@Index('stream_posts_oldest', ['position'])
@Index('stream_posts_of_accounts', { synchronize: false })
export class StreamPost {
  @PrimaryColumn('text')
  source: string;

  @PrimaryColumn('text')
  topic: string;

  @PrimaryColumn('text')
  id: string;

  /** In the order in which the posts were stored. */
  @Column('bigint', { generated: 'increment' })
  position: string;

  @Column('timestamptz', { default: () => 'now()' })
  seenAt: Date;
}
