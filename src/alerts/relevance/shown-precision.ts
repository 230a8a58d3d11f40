/** A share with a 90 % interval. */
export interface Precision {
  estimate: number;
  low: number;
  high: number;
}

/** Half the width of the interval at an estimate of 0.5 and at ten decisions, learned from labelled events. */
const HALF_WIDTH = 0.2;

/** The precision of matches from their mean relevance and the number of decisions that it was learned from. */
export function shownPrecision(mean: number, decisions: number): Precision {
  const half = HALF_WIDTH * Math.sqrt(Math.max(0.04, mean * (1 - mean)) * 4) * (10 / decisions) ** 0.25;
  return { estimate: mean, low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}
