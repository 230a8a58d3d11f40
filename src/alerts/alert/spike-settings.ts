import type { WatchedSpike } from '../../content/analytics/spikes.service.js';
import type { SpikeDirection, SpikeMeasure } from '../../content/analytics/spike-detector.js';
import type { SpikeInterval } from '../../content/analytics/spike-series.js';

/** What a spike alert measures, in buckets of which length, and which deviations trigger it. */
export interface SpikeSettings {
  measure: SpikeMeasure;
  interval: SpikeInterval;
  direction: SpikeDirection;
}

/** `spike` of `alert.triggered`: the hour or day that triggered the alert, and what it is about. */
export interface AlertSpike extends WatchedSpike, SpikeSettings {}
