import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Both ends of the chain of audit entries; one row, made with the first sealed entry. */
@Entity('audit_chain')
@Check('audit_chain_id_check', 'id')
export class AuditChain {
  @PrimaryColumn('boolean', { default: true })
  id: true;

  /** Number of the newest sealed entry; 0 before the first. */
  @Column('bigint', { default: 0 })
  sequence: string;

  /** Hash of the newest sealed entry. */
  @Column('bytea')
  hash: Buffer;

  /** Number of the newest entry that was deleted by age; 0 before the first. */
  @Column('bigint', { default: 0 })
  prunedSequence: string;

  /** Hash of the newest entry that was deleted by age, with which the oldest kept one is checked. */
  @Column('bytea')
  prunedHash: Buffer;
}
