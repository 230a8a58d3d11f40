import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The account of an operator: the first one that signed in with the operator's address. */
@Entity('operator_accounts')
export class OperatorAccount {
  /** In the form of `normalEmail`. */
  @PrimaryColumn('text')
  email: string;

  /** `ISSUER SUBJECT`, as for members. */
  @Column('text')
  subject: string;

  @Column('timestamptz', { default: () => 'now()' })
  boundAt: Date;
}
