/** Files of `DATA_DIR` that a backup contains: keys that were generated on this machine. The password of Postgres is new after a restore. */
export const KEY_FILES = ['encryption.key', 'admin.token', 'harness.json'] as const;
