import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const SOURCE = resolve(import.meta.dirname, '../../src');
const COMPILED = resolve(import.meta.dirname, '../src');

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));

type Class = abstract new (...parameters: never[]) => unknown;
type Provider = Class | { provide: Class | string | symbol };

const nameOf = (token: Class | string | symbol): string =>
  typeof token === 'function' ? token.name : String(token);

/** Each provider with the modules that list it, read from the modules' metadata. */
async function modulesByProvider(): Promise<Map<string, string[]>> {
  const modules = new Map<string, string[]>();
  for (const file of files.filter((name) => name.endsWith('.module.ts'))) {
    const exported = (await import(join(COMPILED, file.replace(/\.ts$/, '.js')))) as Record<string, Class>;
    for (const one of Object.values(exported)) {
      if (typeof one !== 'function') continue;
      const providers = (Reflect.getMetadata('providers', one) ?? []) as Provider[];
      for (const provider of providers) {
        const name = nameOf(typeof provider === 'function' ? provider : provider.provide);
        modules.set(name, [...(modules.get(name) ?? []), one.name]);
      }
    }
  }
  return modules;
}

const MOST_DEPENDENCIES = 6;
/** Classes that are still to be divided. */
const TOO_LARGE = [
  'ApiKeyGuard',
  'BatchWriter',
  'ContentRechecker',
  'DatasetBuilder',
  'DeliverySender',
  'DestinationLoader',
  'ExportExecutor',
  'ExportWorker',
  'JobClaims',
  'JobExecutor',
  'JobWorker',
  'NotificationSettingsService',
  'OutboxRelay',
  'RecheckWorker',
];

/** The classes of a file whose constructors have too many parameters. */
function tooLargeIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length > MOST_DEPENDENCIES)
      found.push(node.parent.name?.text ?? file);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(join(SOURCE, file), 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

describe('providers', () => {
  it('have at most six dependencies each', () => {
    // Divide the class by what it decides and what it does, instead of adding a line.
    expect(files.flatMap(tooLargeIn).sort()).toEqual(TOO_LARGE);
  });

  it('are listed by one module each', async () => {
    const modules = await modulesByProvider();
    expect(modules.size).toBeGreaterThan(100);
    const twice = [...modules].filter(([, names]) => names.length > 1);
    // Import the module that exports the provider, instead of listing it again.
    expect(Object.fromEntries(twice)).toEqual({});
  });

  it('are listed only in files of modules', () => {
    const others = files.filter(
      (file) =>
        !file.endsWith('.module.ts') && /\bproviders: /.test(readFileSync(join(SOURCE, file), 'utf8')),
    );
    expect(others).toEqual([]);
  });
});
