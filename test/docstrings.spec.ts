import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/** Compiled tests run from `dist`; docstrings are read from the sources. */
const SOURCE = resolve(import.meta.dirname, '../../src');

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .filter((file) => !file.startsWith('database/migrations/'));

/** Files whose decorators describe their exports. */
const DESCRIBED_BY_DECORATORS = /\.(module|controller|dto)\.ts$/;

function undocumentedExports(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(SOURCE, file), 'utf8'),
    ts.ScriptTarget.ESNext,
    true,
  );
  return source.statements
    .filter((statement) => ts.canHaveModifiers(statement) && isExported(statement))
    .filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0)
    .filter((statement) => !isDerivedFromList(statement, source))
    .map((statement) => `src/${file}:${lineOf(statement, source)}`);
}

const isExported = (statement: ts.HasModifiers): boolean =>
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** `type X = (typeof XS)[number]` is documented by its list. */
function isDerivedFromList(statement: ts.Statement, source: ts.SourceFile): boolean {
  return ts.isTypeAliasDeclaration(statement) && statement.type.getText(source).includes('typeof ');
}

const lineOf = (statement: ts.Statement, source: ts.SourceFile): number =>
  source.getLineAndCharacterOfPosition(statement.getStart(source)).line + 1;

describe('docstrings', () => {
  it('exist on every export outside tests, migrations, modules, controllers and DTOs', () => {
    expect(files.filter((file) => !DESCRIBED_BY_DECORATORS.test(file)).flatMap(undocumentedExports)).toEqual(
      [],
    );
  });
});
