import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** A post's score, upvote ratio and number of comments, valid from the time they were first seen. */
@Entity('post_scores')
export class PostScore extends WorkspaceRow {
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
