import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { PAGE_RULES, TEST_RULES, TIME_RULES } from './test/test-rules.mjs';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'web/dist/',
      'node_modules/',
      'coverage/',
      'clients/*/dist/',
      'clients/typescript/src/schema.d.ts',
      'clients/typescript/src/routes.ts',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      globals: { ...globals.node, ...globals.jest },
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            '*.mjs',
            '*.cjs',
            'scripts/*.mjs',
            'scripts/lib/*.mjs',
            'scripts/lib/*.cjs',
            'scripts/*.cjs',
            'test/*.mjs',
            'test/*.cjs',
            'web/*.mjs',
          ],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    // Nest resolves constructor parameters from emitted metadata, which `import type` erases.
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'src/common/strings.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='normalize']",
          message: 'Takes quadratic time for many marks: use normalized() of common/strings.',
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'web/src/**/*.test.{ts,tsx}'],
    ignores: ['test/support/skip-unless.ts', 'test/support/shared-folder.ts', 'test/test-rules.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...TEST_RULES] },
  },
  {
    files: ['**/*.spec.ts', 'web/src/**/*.test.{ts,tsx}'],
    ignores: ['test/test-rules.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...TEST_RULES, ...TIME_RULES] },
  },
  {
    files: ['test/browser/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...TEST_RULES, ...TIME_RULES, ...PAGE_RULES] },
  },
  {
    // A separate package whose dependencies may not be installed here, so its types are checked by its own script.
    files: ['web/**'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: globals.browser },
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
    },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  { files: ['scripts/**', 'src/cli/**', 'web/size.mjs'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.mjs', '**/*.cjs', 'clients/n8n/**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  { files: ['**/*.cjs', 'clients/n8n/**/*.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  prettier,
);
