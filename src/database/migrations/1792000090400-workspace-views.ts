import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureLists } from '../secured-rows.js';
import { DROP_VIEWS } from '../workspace-views.js';

/** Lists, searches and exports of requests read posts and comments through views that show only one workspace. */
export class WorkspaceViews1792000090400 implements MigrationInterface {
  name = 'WorkspaceViews1792000090400';
  /** Creates one view at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await secureLists((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_VIEWS);
  }
}
