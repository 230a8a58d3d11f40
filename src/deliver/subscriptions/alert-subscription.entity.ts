import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A member who is notified of an alert; deleted with either. */
@Entity('alert_subscriptions')
@Index('alert_subscriptions_of_member', ['workspaceId', 'memberId'])
@ForeignKey('Alert', ['workspaceId', 'alertId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('ApiKey', ['workspaceId', 'memberId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class AlertSubscription {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  alertId: string;

  @PrimaryColumn('uuid')
  memberId: string;
}
