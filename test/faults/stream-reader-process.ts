import { once } from 'node:events';
import 'reflect-metadata';
import { RetryingTransactions } from '../../src/database/retrying-transactions.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';
import { HeardStore } from '../../src/collect/streams/heard-store.js';
import { HeardTextsRepository } from '../../src/collect/streams/heard-texts.repository.js';
import { ListenedQueries } from '../../src/collect/streams/listened-queries.js';
import { ListenersRepository } from '../../src/collect/streams/listeners.repository.js';
import { StreamReader } from '../../src/collect/streams/stream-reader.js';
import { StreamsRepository } from '../../src/collect/streams/streams.repository.js';
import { Jetstream } from '../../src/platforms/bluesky/jetstream.js';
import { Platforms } from '../../src/platforms/platforms.js';
import { type Listener, Listeners } from '../../src/tenants/ports/listeners.js';
import { QuotasService } from '../../src/tenants/usage/quotas.service.js';
import { InactiveWorkspaces } from '../../src/tenants/workspaces/inactive-workspaces.js';
import { openDataSource } from '../support/database.js';
import { withFakes } from '../support/with-fakes.js';

/** A reader process of a test: reads a stream for the listeners of its first message until it is killed or its parent exits. */
const [url, streamUrl] = process.argv.slice(2);
const [listening] = (await once(process, 'message')) as [Listener[]];
const dataSource = await openDataSource(url!, { poolSize: 2 });
const jetstream = new Jetstream(streamUrl!, 'agent/1.0');
const platforms = Object.create(Platforms.prototype, {
  streamOf: { value: () => jetstream },
}) as Platforms;
const quotas = withFakes(QuotasService, {}, { findQuotas: () => Promise.resolve({}) });
const listeners = new Listeners(quotas);
listeners.register({
  version: () => Promise.resolve(''),
  list: () => Promise.resolve(listening),
  listened: () => Promise.resolve([]),
});
const streams = new StreamsRepository(dataSource);
const repository = new ListenersRepository(dataSource);
const heard = new HeardStore(
  new ListenedQueries(
    listeners,
    withFakes(InactiveWorkspaces, { findInactive: () => Promise.resolve([]) }),
    repository,
    streams,
  ),
  new HeardTextsRepository(dataSource),
  repository,
  quotas,
);
const reader = new StreamReader(
  platforms,
  streams,
  heard,
  new RetryingTransactions(new TransactionRunner(dataSource)),
  new MetricsRegistry(),
);
process.on('disconnect', () => process.exit());
reader.onApplicationBootstrap();
process.send?.('reading');
