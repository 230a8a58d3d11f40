import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Score, ratio and number of comments of a post from the time at which they were seen on. */
@Entity('post_scores')
export class PostScore {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('text')
  postId: string;

  @PrimaryColumn('timestamptz')
  seenAt: Date;

  @Column('integer')
  score: number;

  @Column('real')
  upvoteRatio: number;

  @Column('integer')
  numComments: number;
}
