import { Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { OutboundHttpClient } from '../infrastructure/outbound-http/outbound-http-client.js';
import { OutboundHttpModule } from '../infrastructure/outbound-http/outbound-http.module.js';
import { MediaController } from './media/media.controller.js';
import { MediaDownloader } from './media/media-downloader.js';
import { MediaQuota } from './media/media-quota.js';
import { MediaStaging } from './media/media-staging.js';
import { MediaStore } from './media/media-store.js';
import { MediaRepositoryModule } from './media-repository.module.js';

const TRUSTED_CLIENT = Symbol('TRUSTED_CLIENT');
const ANYWHERE = ['0.0.0.0/0', '::/0'];

@Module({
  imports: [MediaRepositoryModule, OutboundHttpModule],
  controllers: [MediaController],
  providers: [
    {
      provide: MediaStore,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => MediaStore.open(environment),
    },
    {
      provide: MediaStaging,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => MediaStaging.open(environment.DATA_DIR),
    },
    // Only used for origins that the operator configured.
    { provide: TRUSTED_CLIENT, useFactory: () => new OutboundHttpClient(ANYWHERE) },
    {
      provide: MediaDownloader,
      inject: [MediaStore, MediaStaging, MediaQuota, OutboundHttpClient, TRUSTED_CLIENT, ENVIRONMENT],
      useFactory: (
        store: MediaStore,
        staging: MediaStaging,
        quota: MediaQuota,
        client: OutboundHttpClient,
        trusted: OutboundHttpClient,
        environment: Environment,
      ) =>
        new MediaDownloader(store, staging, quota, client, trusted, [
          new URL(environment.PLATFORM_BASE_URL).origin,
          ...environment.PLATFORM_MEDIA_ORIGINS,
        ]),
    },
  ],
  exports: [MediaRepositoryModule, MediaDownloader, MediaStore, MediaStaging],
})
export class MediaModule {}
