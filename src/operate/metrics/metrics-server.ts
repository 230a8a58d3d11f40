import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';

/** Serves `/metrics` on `METRICS_PORT`, apart from the API, when that is set. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | null = null;

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly metrics: MetricsRegistry,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { HOST, METRICS_PORT } = this.environment;
    if (METRICS_PORT === undefined) return;
    const { registry } = this.metrics;
    this.server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    this.server.listen(METRICS_PORT, HOST);
    await once(this.server, 'listening');
  }

  /** The port that serves metrics; null when the API does. */
  get port(): number | null {
    const address = this.server?.address();
    return typeof address === 'object' && address !== null ? address.port : null;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
