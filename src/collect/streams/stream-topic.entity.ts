import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A topic of which posts are kept, because a job of any workspace has read it lately. */
@Entity('stream_topics')
export class StreamTopic {
  @PrimaryColumn('text')
  source: string;

  @PrimaryColumn('text')
  topic: string;

  @Column('timestamptz', { default: () => 'now()' })
  wantedSince: Date;

  @Column('timestamptz')
  wantedUntil: Date;

  /** The workspace whose jobs read it; null when there are several. */
  @Column('uuid', { nullable: true })
  wantedBy: string | null;
}
