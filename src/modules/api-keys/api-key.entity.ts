import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from './scope.js';

@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  keyPrefix: string;

  /** SHA-256 of the key. */
  @Column('bytea')
  keyHash: Buffer;

  @Column('text', { array: true })
  scopes: Scope[];

  @Column('boolean')
  isActive: boolean;

  @Column('timestamptz', { nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz')
  createdAt: Date;
}
