import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The address at which a member is notified, where it is not that of the account; deleted with the member. */
@Entity('notification_addresses')
@ForeignKey('ApiKey', ['workspaceId', 'memberId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class NotificationAddress {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  memberId: string;

  /** The confirmed address and the one to confirm, as encrypted JSON. */
  @Column('text')
  sealedAddress: string;
}
