const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

/** A file of a package that its `exports` do not name. */
const innerFile = (name, file) =>
  import(pathToFileURL(join(require.resolve(`${name}/package.json`), '..', file)).href);

/**
 * Packages that remember something of the modules that use them, in places other than the global object: each function
 * is called once the package is loaded, and returns the one that forgets what a test file left.
 */
exports.PACKAGES_WITH_STATE = {
  // The logger that an application or a test set.
  '@nestjs/common': async ({ Logger }) => {
    const { staticInstanceRef, logLevels } = Logger;
    return () => Object.assign(Logger, { staticInstanceRef, logLevels });
  },
  // The entities and names of data sources.
  '@nestjs/typeorm': async () => {
    const { EntitiesMetadataStorage } = await innerFile(
      '@nestjs/typeorm',
      'dist/entities-metadata.storage.js',
    );
    const { DataSourceNameRegistry } = await innerFile(
      '@nestjs/typeorm',
      'dist/data-source-name.registry.js',
    );
    return () => {
      EntitiesMetadataStorage.storage.clear();
      DataSourceNameRegistry.registeredNames.clear();
    };
  },
  // How fields are converted, by class.
  'class-transformer': async () => {
    const { defaultMetadataStorage } = require('class-transformer/cjs/storage.js');
    return () => defaultMetadataStorage.clear();
  },
  'prom-client':
    async ({ register }) =>
    () =>
      register.clear(),
};
