/** A benchmark of the table in `docs/benchmarks.md`. */
export interface BenchmarkFigures {
  name: string;
  args?: readonly string[];
  figures: readonly {
    /** Unique in the table. */
    title: string;
    /** Where the benchmark's output has the value. */
    path: string;
    aim: string;
  }[];
}

/** The benchmarks of `npm run bench -- all`, in the order of the table. */
export const FIGURES: readonly BenchmarkFigures[] = [
  {
    name: 'scrape',
    figures: [
      { title: 'time / (requests x latency / concurrency)', path: 'latencyBound.timesBound', aim: '1.3' },
      { title: 'requests / fewest requests', path: 'latencyBound.timesIdeal', aim: '1.02' },
      { title: 'time / (requests / budget)', path: 'budgetBound.timesBound', aim: '1.05' },
    ],
  },
  {
    name: 'ingest',
    figures: [
      { title: 'posts/s stored / `COPY` into the same table', path: 'share', aim: '0.45' },
      { title: 'posts stored a second', path: 'ingestPostsPerSecond', aim: '' },
    ],
  },
  {
    name: 'import',
    figures: [
      { title: 'imported rows/s / `COPY` of the rows', path: 'shareOfCopy', aim: '0.35' },
      { title: 'imported rows/s with analysis / without', path: 'shareWithAnalysis', aim: '0.5' },
      { title: 'memory of an import, MB', path: 'memoryMb', aim: '300' },
    ],
  },
  {
    name: 'takeout',
    args: ['200000'],
    figures: [
      { title: 'rows/s as Parquet / `COPY` to a client', path: 'share', aim: '0.4' },
      { title: 'memory of the exporting worker, MB', path: 'rss_peak_mb', aim: '300' },
    ],
  },
  {
    name: 'exports',
    figures: [
      { title: 'p95 of a page beside 20 downloads / quiet', path: 'ratio', aim: '3' },
      { title: 'memory of the API during 20 downloads, MB', path: 'rss_peak_mb', aim: '300' },
    ],
  },
  {
    name: 'analyzer',
    figures: [
      { title: 'MB/s of English text a core, split into words', path: 'words_mb_s', aim: '40' },
      { title: 'MB/s of English text a core, read into lexemes and places', path: 'lexemes_mb_s', aim: '' },
      { title: 'MB/s of English text a core, read into search values', path: 'search_values_mb_s', aim: '' },
    ],
  },
  {
    name: 'alerts',
    figures: [
      { title: 'texts/s analysed and matched against 10,000 alerts / 10 alerts', path: 'ratio', aim: '0.5' },
      {
        title: 'time of matching 10,000 queries / 10,000 alerts of keywords',
        path: 'queries_to_keywords',
        aim: '1.6',
      },
    ],
  },
  {
    name: 'alerting',
    figures: [
      { title: 'p95 from a stored post to a chat message, ms', path: 'to_chat_p95_ms', aim: '2000' },
      { title: 'polls of a feed a minute', path: 'polls_a_minute', aim: '10000' },
    ],
  },
  {
    name: 'deliveries',
    figures: [
      { title: 'deliveries/s / a bare sequential loop', path: 'ratio_to_sequential', aim: '0.4' },
      { title: 'rate lost beside a dead destination', path: 'cost_of_a_dead_destination', aim: '0.1' },
    ],
  },
  {
    name: 'requests',
    figures: [
      { title: 'pages/s / the statement alone', path: 'ratio_to_bare_sql', aim: '' },
      { title: 'API processor time of a page of 50, ms', path: 'api_cpu_ms_per_request', aim: '' },
    ],
  },
  {
    name: 'api',
    args: ['--posts', '50000', '--comments', '50000'],
    figures: [
      { title: 'search mix, p95 of the first time, ms', path: 'alone.first.p95', aim: '100' },
      { title: 'search mix beside a scrape, p95, ms', path: 'beside_scrape.first.p95', aim: '100' },
    ],
  },
  {
    name: 'schedules',
    figures: [
      {
        title: 'p95 lag of 1,000 due of 100,000 schedules, ms',
        path: 'spread_over_a_minute.lag_ms.p95',
        aim: '2,000',
      },
    ],
  },
];
