import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A workspace: the tenant that everything else belongs to. */
@Entity('workspaces')
export class Workspace {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Quotas that differ from the operator's defaults, by name. */
  @Column('jsonb', { default: {} })
  quotas: Record<string, number>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
