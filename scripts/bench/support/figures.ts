/** A figure of the table in `docs/benchmarks.md`. */
export interface Figure {
  /** The benchmark and its arguments. */
  command: string;
  /** Unique in the table. */
  title: string;
  /** Where the benchmark's output has the value. */
  path: string;
  aim: string;
  /** Of a ratio within one run, which way is better; absent for other figures. */
  better?: 'higher' | 'lower' | undefined;
}

/** Of each benchmark: title, path and aim of its figures, and for ratios within one run which way is better. */
const TABLE: Record<
  string,
  readonly (readonly [title: string, path: string, aim?: string, better?: 'higher' | 'lower'])[]
> = {
  scrape: [
    ['time / (requests x latency / concurrency)', 'latencyBound.timesBound', '1.3', 'lower'],
    ['requests / fewest requests', 'latencyBound.timesIdeal', '1.02', 'lower'],
    ['time / (requests / budget)', 'budgetBound.timesBound', '1.05', 'lower'],
  ],
  ingest: [
    ['posts/s stored / `COPY` into the same table', 'share', '0.5', 'higher'],
    ['posts stored a second', 'ingestPostsPerSecond'],
  ],
  import: [
    ['imported rows/s / `COPY` of the rows', 'shareOfCopy', '0.35', 'higher'],
    ['imported rows/s with analysis / without', 'shareWithAnalysis', '0.5', 'higher'],
    ['memory of an import, MB', 'memoryMb', '300'],
  ],
  'takeout 200000': [
    ['rows/s as Parquet / `COPY` to a client', 'share', '0.4', 'higher'],
    ['memory of the exporting worker, MB', 'rss_peak_mb', '300'],
  ],
  exports: [
    ['p95 of a page beside 20 downloads / quiet', 'ratio', '3', 'lower'],
    ['memory of the API during 20 downloads, MB', 'rss_peak_mb', '300'],
  ],
  analyzer: [
    ['MB/s of English text a core, split into words', 'words_mb_s', '40'],
    ['MB/s of English text a core, read into lexemes and places', 'lexemes_mb_s'],
    ['MB/s of English text a core, read into search values', 'search_values_mb_s'],
  ],
  alerts: [
    ['texts/s analysed and matched against 10,000 alerts / 10 alerts', 'ratio', '0.5', 'higher'],
    ['time of matching 10,000 queries / 10,000 alerts of keywords', 'queries_to_keywords', '1.6', 'lower'],
    [
      'texts/s a core analysed and matched against 100,000 queries',
      'queries_100000.texts_per_second',
      '1,000',
    ],
    ['p95 of a batch of 100 texts against 100,000 queries, ms', 'queries_100000.p95_ms_of_a_batch', '250'],
    ['memory of each of 100,000 queries, bytes', 'queries_100000.bytes_per_query', '600'],
  ],
  alerting: [
    ['p95 from a stored post to a chat message, ms', 'to_chat_p95_ms', '2000'],
    ['polls of a feed a minute', 'polls_a_minute', '10000'],
  ],
  listening: [
    ['p95 from an event of a stream to a chat message, beside 10,000 alerts, ms', 'to_chat_p95_ms', '2000'],
    ['cores of a process with 50 posts a second and 10,000 alerts', 'cores', '0.5'],
  ],
  deliveries: [
    ['deliveries/s / a bare sequential loop', 'ratio_to_sequential', '0.4', 'higher'],
    ['rate lost beside a dead destination', 'cost_of_a_dead_destination', '0.1', 'lower'],
  ],
  requests: [
    ['pages/s / the statement alone', 'page_of_50.ratio_to_bare_sql', '0.55', 'higher'],
    ['pages/s / a bare Express handler with `pg`', 'page_of_50.ratio_to_bare_express', '', 'higher'],
    ['posts/s / a bare Express handler with `pg`', 'single_post.ratio_to_bare_express', '0.75', 'higher'],
    ['API processor time of a page of 50, ms', 'page_of_50.api_cpu_ms_per_request', '0.9'],
  ],
  'api --posts 50000 --comments 50000': [
    ['search mix, p95 of the first time, ms', 'alone.first.p95', '100'],
    ['search mix beside a scrape, p95, ms', 'beside_scrape.first.p95', '100'],
  ],
  schedules: [['p95 lag of 1,000 due of 100,000 schedules, ms', 'spread_over_a_minute.lag_ms.p95', '2,000']],
};

/** The figures of `npm run bench -- all`, in the order of the table. */
export const FIGURES: readonly Figure[] = Object.entries(TABLE).flatMap(([command, figures]) =>
  figures.map(([title, path, aim = '', better]) => ({ command, title, path, aim, better })),
);
