import { readFileSync } from 'node:fs';

/** Variables that contain a secret. None of their content is ever printed, and each can be given as a file. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_REQUEST_URL',
  'REDIS_URL',
  'PLATFORM_CLIENT_SECRET',
  'REDDIT_FEED_TOKEN',
  'STACKEXCHANGE_KEY',
  'GITHUB_TOKEN',
  'MEDIA_S3_ACCESS_KEY_ID',
  'MEDIA_S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'JUDGE_API_KEY',
  'ENCRYPTION_KEY',
  'ADMIN_TOKEN',
  'OIDC_CLIENT_SECRET',
  'HTTPS_PROXY',
] as const;

/**
 * The variables, with the content of the file that `NAME_FILE` names for each secret variable `NAME`, without the line
 * break at its end. `problems` has a sentence for each file that cannot be read, and for each secret given twice.
 */
export function withSecretFiles(given: NodeJS.ProcessEnv): {
  variables: NodeJS.ProcessEnv;
  problems: string[];
} {
  const variables = { ...given };
  const problems: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = given[`${name}_FILE`];
    if (!path) continue;
    delete variables[`${name}_FILE`];
    if (given[name]) problems.push(`${name} and ${name}_FILE are both set; unset one of them`);
    else
      try {
        variables[name] = readFileSync(path, 'utf8').trimEnd();
      } catch (error) {
        problems.push(
          `${name}_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code}); correct the path or its permissions`,
        );
      }
  }
  return { variables, problems };
}
