import { z } from 'zod';
import { ENVIRONMENT_SCHEMA } from './environment-schema.js';
import { SECRET_VARIABLES } from './secret-variables.js';

const HEAD = `# Configuration

Generated from the schema of the environment by \`npm run openapi\`. [Run the service](operations.md) says when to change which.

An invalid value, or a misspelled variable, ends the start with code 78 and one sentence that names the variable and the
remedy. An empty variable counts as unset. Each secret can also be given as a file: \`NAME_FILE\` names a file with the value.

| Variable | Default | Meaning |
|---|---|---|
`;

/** The default as a person reads it. */
function shownDefault(schema: z.ZodType): string {
  const shown = schema.meta()?.['shown'];
  if (typeof shown === 'string') return shown;
  const parsed = schema.safeParse(undefined).data;
  if (parsed === undefined) return 'unset';
  return Array.isArray(parsed) ? parsed.join(',') || 'none' : JSON.stringify(parsed).replaceAll(`"`, '');
}

/** The page docs/configuration.md: one row for each variable. */
export function configurationPage(): string {
  const secrets = new Set<string>(SECRET_VARIABLES);
  const rows = Object.entries<z.ZodType>(ENVIRONMENT_SCHEMA.shape).map(
    ([name, schema]) =>
      `| \`${name}\`${secrets.has(name) ? ' (secret)' : ''} | ${shownDefault(schema)} | ${schema.description ?? ''} |\n`,
  );
  return HEAD + rows.join('');
}
