/** The secret addresses of a feed; shown once. */
export class FeedDto {
  atom_url: string;
  json_url: string;
  rss_url: string;
}
