import { KEY_FILE } from '../../infrastructure/secrets/encryption-key.js';
import { TOKEN_FILE } from '../../launcher/admin-token.js';
import { WORKSPACE_FILE } from '../../launcher/harness.js';

/** Files of `DATA_DIR` that a backup contains: keys that were generated on this machine. The password of Postgres is new after a restore. */
export const KEY_FILES: readonly string[] = [KEY_FILE, TOKEN_FILE, WORKSPACE_FILE];
