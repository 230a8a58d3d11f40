import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../infrastructure/secrets/secret-box.js';
import type { Alert } from './alert.entity.js';
import type { ChannelConfig } from '../notifications/channel-config.js';

type Sealed = Pick<Alert, 'workspaceId' | 'id' | 'sealedChannelConfig'>;

/** Channel configurations at rest. */
@Injectable()
export class ChannelConfigs {
  constructor(private readonly box: SecretBox) {}

  seal(workspaceId: string, id: string, config: ChannelConfig): string {
    return this.box.seal(JSON.stringify(config), { workspaceId, purpose: purposeOf(id) });
  }

  /** Throws `SecretUnreadableError`. */
  open({ workspaceId, id, sealedChannelConfig }: Sealed): ChannelConfig {
    return JSON.parse(
      this.box.open(sealedChannelConfig, { workspaceId, purpose: purposeOf(id) }),
    ) as ChannelConfig;
  }
}

const purposeOf = (id: string): string => `alert:${id}:channel_config`;
