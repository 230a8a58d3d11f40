import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../row-security.js';

/** Requests work as a role that sees and changes rows of one workspace; where the role may not be created, nothing changes. */
export class RowSecurity1792000090300 implements MigrationInterface {
  name = 'RowSecurity1792000090300';
  /** Locks one table at a time. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    const secured = await runner.manager.query<{ name: string }[]>(
      `SELECT tablename AS name FROM pg_policies WHERE schemaname = 'public' AND policyname = 'wss_workspace'`,
    );
    for (const { name } of secured)
      await runner.query(`DROP POLICY wss_workspace ON "${name}"; DROP POLICY everyone ON "${name}";
        ALTER TABLE "${name}" DISABLE ROW LEVEL SECURITY; REVOKE ALL ON "${name}" FROM wss_workspace`);
  }
}
