import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { openDataSource } from '../support/database.js';
import { claimerOn, SimulatedClock } from '../support/schedules.js';

/** A scheduler process of a test: claims by the simulated clock until it is killed or its parent is gone. */
const [url] = process.argv.slice(2);
const applicationName = `claimer-${process.pid}`;
const dataSource = await openDataSource(url!, { poolSize: 2, applicationName });
const claimer = claimerOn(dataSource, new SimulatedClock());
process.on('disconnect', () => process.exit());
process.send?.('claiming');
for (;;) {
  // A connection that is ended under it must not end a scheduler.
  const settled = await claimer.claimBatch().catch(() => 0);
  if (settled === 0) await wait(5);
}
