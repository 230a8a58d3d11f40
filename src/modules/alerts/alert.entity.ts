import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Channels of an alert: those of the interface, and the chat services by name. */
export const ALERT_CHANNELS = [
  'email',
  'chat_a',
  'chat_b',
  'webhook',
  'discord',
  'telegram',
  'slack',
] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** Keywords whose new matches are sent through a channel. */
@Entity('alerts')
@Check('alerts_channel_check', `channel IN ('${ALERT_CHANNELS.join("', '")}')`)
export class Alert {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text', { array: true })
  keywords: string[];

  /** Empty for every forum. */
  @Column('text', { array: true })
  forums: string[];

  @Column('text')
  channel: AlertChannel;

  /** The configuration as encrypted JSON, because addresses of chat services are secrets themselves. */
  @Column('text')
  sealedChannelConfig: string;

  @Column('boolean', { default: true })
  isActive: boolean;

  @Column('timestamptz', { nullable: true })
  lastTriggeredAt: Date | null;

  @Column('integer', { default: 0 })
  triggerCount: number;

  /** Start of the channel's uninterrupted failures; null when its last attempt succeeded. */
  @Column('timestamptz', { nullable: true })
  channelFailingSince: Date | null;

  /** Why the channel is switched off; null while it is in use. */
  @Column('text', { nullable: true })
  channelDisabledReason: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
