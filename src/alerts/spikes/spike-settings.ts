import type { SpikeDirection, SpikeMeasure } from '../../content/analytics/spike-detector.js';
import type { SpikeInterval } from '../../content/analytics/spike-series.js';

/** What a spike alert measures, in buckets of which length, and which deviations trigger it. */
export interface SpikeSettings {
  measure: SpikeMeasure;
  interval: SpikeInterval;
  direction: SpikeDirection;
}
