/**
 * Settings of Postgres for searches, which read up to millions of rows. With the default 4 MB of `work_mem` a bitmap of
 * that many rows keeps pages instead of rows, and every row of these pages must be checked again. JIT compilation of a
 * statement takes longer than it saves. With parallel workers, the searches of one workspace would take all cores from
 * others.
 */
export const SEARCH_SETTINGS = [
  ['work_mem', '64MB'],
  ['jit', 'off'],
  ['max_parallel_workers_per_gather', '0'],
] as const;
