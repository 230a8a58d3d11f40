const { createHash } = require('node:crypto');
const ts = require('typescript');

/** Jest transform: converts the few ESM-only packages that CommonJS dependencies require to CommonJS. */
module.exports = {
  process: (source) => ({
    code: ts.transpileModule(source, {
      compilerOptions: {
        module: ts.ModuleKind.CommonJS,
        target: ts.ScriptTarget.ES2022,
        allowJs: true,
        esModuleInterop: true,
      },
    }).outputText,
  }),
  getCacheKey: (source) => createHash('sha256').update(source).digest('hex'),
};
