'use strict';

// `node scripts/run.cjs NAME [ARGUMENT…]`: runs a script of this folder. This file uses only syntax that Node.js 14
// knows, so that an unsupported version gets a sentence instead of the stack trace of a missing feature.
const { readFileSync } = require('fs');
const { join } = require('path');
const { pathToFileURL } = require('url');
const { inRange, lowestVersions } = require('./lib/node-range.cjs');

const { engines } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'));
const { node: version } = process.versions;
if (!inRange(version, engines.node)) {
  process.stderr.write(
    `The service needs Node.js ${lowestVersions(engines.node)}, or newer within these lines or after them, but this is ${version}. Install a supported version and run the command again.\n`,
  );
  process.exit(1);
}

const [name] = process.argv.splice(2, 1);
process.argv[1] = join(__dirname, `${name}.mjs`);
// As for a module that is started directly: a script whose work can no longer end has failed.
const neverEnds = () => {
  process.exitCode = 13;
};
process.once('beforeExit', neverEnds);
import(pathToFileURL(process.argv[1]).href).then(() => process.removeListener('beforeExit', neverEnds));
