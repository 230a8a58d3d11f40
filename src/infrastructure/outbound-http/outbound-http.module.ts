import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { OutboundHttpClient } from './outbound-http-client.js';

@Injectable()
class ConnectionCloser implements OnApplicationShutdown {
  constructor(private readonly client: OutboundHttpClient) {}

  onApplicationShutdown(): void {
    this.client.close();
  }
}

/** Provides the HTTP client for addresses that users give. */
@Global()
@Module({
  providers: [
    {
      provide: OutboundHttpClient,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => new OutboundHttpClient(environment.OUTBOUND_ALLOWED_CIDRS),
    },
    ConnectionCloser,
  ],
  exports: [OutboundHttpClient],
})
export class OutboundHttpModule {}
