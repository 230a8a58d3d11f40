/** Path prefix of every API operation. */
export const API_PREFIX = 'api/v1';

/** Paths of probes and metrics, which are outside the API. */
export const PATHS_WITHOUT_PREFIX = ['health/live', 'health/ready', 'metrics'] as const;
