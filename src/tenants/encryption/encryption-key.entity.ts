import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that encrypts secrets in this database; only its id is stored. */
@Entity('encryption_keys')
export class EncryptionKey {
  /** Eight hexadecimal digits that identify the key without revealing it. */
  @PrimaryColumn('text')
  keyId: string;

  @Column('timestamptz', { default: () => 'now()' })
  firstUsedAt: Date;
}
