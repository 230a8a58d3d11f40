import type { WatchedSpike } from '../../content/analytics/spikes.service.js';
import type { SpikeDirection, SpikeMeasure } from '../../content/analytics/spike-detector.js';
import type { SpikeInterval } from '../../content/analytics/spike-series.js';

/** Measure, length of buckets and triggering deviations of an alert on spikes. */
export interface SpikeSettings {
  measure: SpikeMeasure;
  interval: SpikeInterval;
  direction: SpikeDirection;
}

/** `spike` of `alert.triggered`: the hour or day that triggered the alert, and its subject. */
export interface AlertSpike extends WatchedSpike, SpikeSettings {}
