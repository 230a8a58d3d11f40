import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Media keys contain the SHA-256 of a URL: an index entry is limited to 2.7 KB, and a URL may be longer. */
export class HashedMediaKeys1791000002100 implements MigrationInterface {
  name = 'HashedMediaKeys1791000002100';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['media_files', 'job_media']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN url_hash bytea`);
      await runner.query(`UPDATE ${table} SET url_hash = sha256(convert_to(url, 'UTF8'))`);
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN url_hash SET NOT NULL`);
    }
    await runner.query('ALTER TABLE media_files DROP CONSTRAINT media_files_workspace_id_post_id_url_key');
    await runner.query('ALTER TABLE media_files ADD UNIQUE (workspace_id, post_id, url_hash)');
    await runner.query('ALTER TABLE job_media DROP CONSTRAINT job_media_pkey');
    await runner.query('ALTER TABLE job_media ADD PRIMARY KEY (workspace_id, job_id, post_id, url_hash)');
    // Bytes of the file that the job downloaded, counted against the limit per job.
    await runner.query('ALTER TABLE job_media ADD COLUMN bytes bigint NOT NULL DEFAULT 0');
    await runner.query(`UPDATE job_media SET bytes = file.size FROM media_files AS file
      WHERE file.workspace_id = job_media.workspace_id AND file.post_id = job_media.post_id
        AND file.url_hash = job_media.url_hash AND NOT job_media.pending`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_media DROP COLUMN bytes');
    await runner.query('ALTER TABLE job_media DROP CONSTRAINT job_media_pkey');
    await runner.query('ALTER TABLE job_media ADD PRIMARY KEY (workspace_id, job_id, post_id, url)');
    await runner.query(
      'ALTER TABLE media_files DROP CONSTRAINT media_files_workspace_id_post_id_url_hash_key',
    );
    await runner.query('ALTER TABLE media_files ADD UNIQUE (workspace_id, post_id, url)');
    for (const table of ['media_files', 'job_media'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN url_hash`);
  }
}
