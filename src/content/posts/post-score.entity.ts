import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A post's score, upvote ratio and number of comments, valid from the time they were first seen. */
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
