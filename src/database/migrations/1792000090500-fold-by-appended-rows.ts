import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COUNTED_TABLES, countFunction, RETURN_WITHOUT_ROWS } from '../count-triggers.js';

/**
 * A statement folds the deltas of its workspaces with a probability that is proportional to how many it appends: it
 * always does with this many or more.
 */
const FOLD_ALWAYS = 32;
const REMAINING = '(SELECT removed.* FROM removed JOIN workspaces ON workspaces.id = removed.workspace_id)';
const RULES = { first: RETURN_WITHOUT_ROWS, remaining: REMAINING };

/**
 * Deltas are folded as often as they are appended. Before, one statement in 32 folded them, however many forums it
 * wrote, and none that deleted rows: after an import of 300 forums every search added up thousands.
 */
export class FoldByAppendedRows1792000090500 implements MigrationInterface {
  name = 'FoldByAppendedRows1792000090500';

  async up(runner: QueryRunner): Promise<void> {
    const touchedByDelete = `SELECT array_agg(DISTINCT workspace_id) INTO touched FROM ${REMAINING} AS gone;`;
    const chance = `random() * ${FOLD_ALWAYS} < appended`;
    for (const table of COUNTED_TABLES)
      await runner.query(countFunction(table, { ...RULES, touchedByDelete, chance }));
  }

  async down(runner: QueryRunner): Promise<void> {
    const chance = 'random() * 32 < 1';
    for (const table of COUNTED_TABLES)
      await runner.query(countFunction(table, { ...RULES, touchedByDelete: '', chance }));
  }
}
