import { Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { OutboundHttpClient } from './outbound-http-client.js';

/** Provides the HTTP client for URLs given by users. */
@Global()
@Module({
  providers: [
    {
      provide: OutboundHttpClient,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => new OutboundHttpClient(environment.OUTBOUND_ALLOWED_CIDRS),
    },
  ],
  exports: [OutboundHttpClient],
})
export class OutboundHttpModule {}
