const { createHash } = require('node:crypto');
const ts = require('typescript');

/** Jest transform: turns the few ESM-only packages that CommonJS dependencies require into CommonJS. */
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
