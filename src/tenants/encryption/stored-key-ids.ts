/** Statement that lists the ids of the keys whose secrets the database has. */
export const STORED_KEY_IDS = 'SELECT key_id AS "keyId" FROM encryption_keys';
