import { CITUS_DATABASE_URL } from './cluster.js';
import { setUpOn } from './global-setup.js';

/** Starts Redis, and lets the test files create their databases on the cluster that `CITUS_DATABASE_URL` names. */
export default function setUp(): Promise<void> {
  return setUpOn(process.env[CITUS_DATABASE_URL]);
}
