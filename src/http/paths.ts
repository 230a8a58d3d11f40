/** Every operation of the API is below this. */
export const API_PREFIX = 'api/v1';

/** Probes and metrics, which are for operators. */
export const PATHS_WITHOUT_PREFIX = ['health/live', 'health/ready', 'metrics'] as const;
