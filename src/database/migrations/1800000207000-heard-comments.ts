import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Some sources number posts and comments independently: a post and a comment may have the same id. */
export class HeardComments1800000207000 implements MigrationInterface {
  name = 'HeardComments1800000207000';

  async up(runner: QueryRunner): Promise<void> {
    await this.keyBy('workspace_id, id, is_comment', runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DELETE FROM heard_texts AS one USING heard_texts AS other WHERE one.is_comment AND NOT other.is_comment AND one.workspace_id = other.workspace_id AND one.id = other.id',
    );
    await this.keyBy('workspace_id, id', runner);
  }

  private async keyBy(columns: string, runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE heard_texts DROP CONSTRAINT heard_texts_pkey, ADD PRIMARY KEY (${columns})`,
    );
  }
}
