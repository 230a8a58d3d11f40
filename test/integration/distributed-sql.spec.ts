import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { CONTROL_TABLES, DATA_TABLES } from '../../src/cli/distribution/plan.js';

/** Compiled tests run from `dist`; statements are read from the sources. */
const SOURCE = resolve(import.meta.dirname, '../../../src');
const DATA = DATA_TABLES.join('|');
const CONTROL = CONTROL_TABLES.join('|');

/** Functions whose result differs from row to row or from call to call. */
const VOLATILE = /\b(clock_timestamp|statement_timestamp|random|gen_random_uuid|timeofday|nextval)\(/;
/** Functions of times that depend on the session's zone: Citus evaluates them without columns only. */
const STABLE = /\b(date_trunc|date_part|extract|to_char|to_timestamp|age)\(/i;

/** A string in the sources that is a part of a statement, with its location. */
interface Statement {
  place: string;
  /** Of a template the whole text, with the strings that it names by constants of its file. */
  text: string;
}

const isString = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Every string of a file; of nested templates the outermost. */
function stringsOf(file: string): Statement[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const found: Statement[] = [];
  const constants = new Map<string, string>();
  for (const statement of source.statements)
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        if (initializer !== undefined && isString(initializer))
          constants.set(name.getText(), initializer.getText());
  const resolved = (part: string): string =>
    part.replace(/\$\{(\w+)\}/g, (written, name: string) => constants.get(name)?.slice(1, -1) ?? written);
  const visit = (node: ts.Node): void => {
    if (isString(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `src/${file}:${line}`, text: resolved(node.getText()) });
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const statements = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  // Migrations of a version run before its tables are distributed, or as statements of Citus' own.
  .filter((file) => !/migrations|^cli[\\/](backups|distribution)/.test(file))
  .flatMap(stringsOf);

/** Whether a statement reads or writes one of the tables. */
const names = (text: string, tables: string): boolean =>
  new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING) (ONLY )?"?(${tables})\\b`).test(text);
const changes = (text: string, tables: string): boolean =>
  new RegExp(`\\b(UPDATE|DELETE FROM) (ONLY )?"?(${tables})\\b`).test(text);

/** Rules of Citus for statements on distributed tables, each with an example that breaks it. */
const RULES: { rule: string; isBroken: (text: string) => boolean; broken: string }[] = [
  {
    rule: 'name no table of the coordinator beside distributed ones',
    isBroken: (text) => names(text, DATA) && names(text, CONTROL),
    broken: `DELETE FROM posts USING jobs WHERE posts.workspace_id = $1 AND jobs.id = $2`,
  },
  {
    rule: 'lock rows of one workspace',
    isBroken: (text) =>
      /\bFOR (NO KEY |KEY )?(UPDATE|SHARE)\b/.test(text) &&
      names(text, DATA) &&
      !new RegExp(
        `\\b(FROM|JOIN) (${DATA})(\\s+(AS )?\\w+)?\\s+WHERE (\\w+\\.)?workspace_id = \\$\\{?\\w`,
      ).test(text),
    broken: 'SELECT id FROM posts WHERE workspace_id = ANY ($1) FOR UPDATE',
  },
  {
    rule: 'change rows without volatile functions',
    isBroken: (text) => changes(text, DATA) && VOLATILE.test(text),
    broken: 'UPDATE media_usage SET changed_at = clock_timestamp() WHERE workspace_id = $1',
  },
  {
    rule: 'change rows without functions of columns that depend on the time zone',
    isBroken: (text) => changes(text, DATA) && STABLE.test(text),
    broken: `DELETE FROM post_scores WHERE workspace_id = $1 AND date_trunc('day', seen_at) < $2`,
  },
  {
    rule: 'change rows without now() in CASE or COALESCE',
    isBroken: (text) =>
      changes(text, DATA) && /\bcoalesce\([^()]*now\(\)|\b(THEN|ELSE) [^']*?\bnow\(\)/i.test(text),
    broken: 'UPDATE search_segments SET erased_since = coalesce(erased_since, now()) WHERE workspace_id = $1',
  },
  {
    rule: 'update conflicting rows without functions that depend on the transaction or the session',
    isBroken: (text) =>
      names(text, DATA) && /\bDO UPDATE SET\b[^)]*?\b(now|clock_timestamp|random|\w+_uuid)\(/.test(text),
    broken:
      'INSERT INTO labels (record_id) VALUES ($1) ON CONFLICT (record_id) DO UPDATE SET labelled_at = now()',
  },
  {
    rule: 'return no times as text, which depend on the time zone, from changes',
    isBroken: (text) => changes(text, DATA) && /\bRETURNING\b[^]*\w_(at|utc|since|until)::text\b/.test(text),
    broken: 'UPDATE alert_matches SET note = $2 WHERE workspace_id = $1 RETURNING matched_at::text',
  },
  {
    rule: 'shift no times of rows by intervals in changes',
    isBroken: (text) => changes(text, DATA) && /\w_(at|utc|since|until) [+-] [^,)]*interval\b/.test(text),
    broken: `UPDATE posts SET scraped_at = scraped_at - interval '1 day' WHERE workspace_id = $1`,
  },
  {
    rule: 'read no transaction ids, which each server counts for itself',
    isBroken: (text) => names(text, DATA) && /\b(pg_current_\w+|pg_snapshot_\w+|txid_\w+)\(/.test(text),
    broken: 'SELECT id, pg_current_xact_id() FROM posts WHERE workspace_id = $1',
  },
  {
    rule: 'signal backends by a number whose type is stated, since Citus has a function for another one',
    isBroken: (text) => /\bpg_(cancel|terminate)_backend\(\$\d+\)/.test(text),
    broken: 'SELECT pg_cancel_backend($1)',
  },
];

describe('statements on distributed tables', () => {
  it('are read from the sources', () => {
    expect(statements.filter(({ text }) => names(text, DATA)).length).toBeGreaterThan(50);
    expect(statements.filter(({ text }) => changes(text, DATA)).length).toBeGreaterThan(15);
  });

  it.each(RULES)('$rule', ({ isBroken, broken }) => {
    expect(isBroken(broken)).toBe(true);
    expect(statements.filter(({ text }) => isBroken(text)).map(({ place }) => place)).toEqual([]);
  });
});
