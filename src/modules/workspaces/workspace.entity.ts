import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant: every row but this one belongs to a workspace. */
@Entity('workspaces')
export class Workspace {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
