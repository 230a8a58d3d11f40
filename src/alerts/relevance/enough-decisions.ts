const LEAST_DECISIONS = 10;
const LEAST_OF_EACH = 3;

/** Whether there are enough decisions to learn from. */
export const isEnough = ({ kept, dismissed }: { kept: number; dismissed: number }): boolean =>
  kept + dismissed >= LEAST_DECISIONS && Math.min(kept, dismissed) >= LEAST_OF_EACH;
