import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key with which this database's secrets are encrypted; only its id is stored. */
@Entity('encryption_keys')
export class EncryptionKey {
  /** Eight hexadecimal digits that identify the key without revealing it. */
  @PrimaryColumn('text')
  keyId: string;

  @Column('timestamptz', { default: () => 'now()' })
  firstUsedAt: Date;
}
