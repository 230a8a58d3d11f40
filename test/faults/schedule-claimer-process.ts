import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { openDataSource } from '../support/database.js';
import { claimerOn, SimulatedClock } from '../support/schedules.js';

/** A scheduler process of a test: claims by the simulated clock until it is killed or its parent exits. */
const [url] = process.argv.slice(2);
const applicationName = `claimer-${process.pid}`;
const dataSource = await openDataSource(url!, { poolSize: 2, applicationName });
const claimer = claimerOn(dataSource, new SimulatedClock(dataSource.manager));
process.on('disconnect', () => process.exit());
process.send?.('claiming');
for (;;) {
  // A lost connection must not end a scheduler.
  const recorded = await claimer.claimBatch().catch(() => 0);
  if (recorded === 0) await wait(5);
}
