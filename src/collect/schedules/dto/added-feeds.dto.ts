/** A feed of a list that got no schedule. */
export class RefusedFeedDto {
  /** As in the list, at most 500 characters. */
  address: string;
  message: string;
}

/** The feeds of a list, by whether they got a schedule. */
export class AddedFeedsDto {
  /** Number of new schedules. */
  created: number;
  /** Number of feeds that had a schedule, or are in the list before. */
  existing: number;
  refused: RefusedFeedDto[];
}
