import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A time of which a stream was not read. */
@Entity('stream_gaps')
export class StreamGap {
  @PrimaryColumn('text')
  source: string;

  @PrimaryColumn('timestamptz')
  fromAt: Date;

  @Column('timestamptz')
  toAt: Date;

  /** A sentence. */
  @Column('text')
  reason: string;
}
