import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Statement that lists the ids of the keys. */
export const STORED_KEY_IDS = 'SELECT key_id AS "keyId" FROM encryption_keys';

/** A key that encrypts secrets in this database; only its id is stored. */
@Entity('encryption_keys')
export class EncryptionKey {
  /** Eight hexadecimal digits that identify the key without revealing it. */
  @PrimaryColumn('text')
  keyId: string;

  @Column('timestamptz', { default: () => 'now()' })
  firstUsedAt: Date;
}
