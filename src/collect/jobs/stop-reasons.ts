/** Why a scrape stopped listing posts. */
export const STOP_REASONS = ['limit', 'end_of_listing', 'listing_cap', 'up_to_date'] as const;
export type StopReason = (typeof STOP_REASONS)[number];
