import 'reflect-metadata';
import { RetryingTransactions } from '../../src/database/retrying-transactions.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';
import { StreamReader } from '../../src/collect/streams/stream-reader.js';
import { StreamsRepository } from '../../src/collect/streams/streams.repository.js';
import { Jetstream } from '../../src/platforms/bluesky/jetstream.js';
import { Platforms } from '../../src/platforms/platforms.js';
import { openDataSource } from '../support/database.js';

/** A reader process of a test: reads a stream until it is killed or its parent exits. */
const [url, streamUrl] = process.argv.slice(2);
const dataSource = await openDataSource(url!, { poolSize: 2 });
const platforms = Object.create(Platforms.prototype, {
  streams: { value: () => new Map([['bluesky', new Jetstream(streamUrl!, 'agent/1.0')]]) },
}) as Platforms;
const reader = new StreamReader(
  platforms,
  new StreamsRepository(dataSource),
  new RetryingTransactions(new TransactionRunner(dataSource)),
  new MetricsRegistry(),
);
process.on('disconnect', () => process.exit());
reader.onApplicationBootstrap();
process.send?.('reading');
