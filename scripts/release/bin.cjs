#!/usr/bin/env node
'use strict';

// The command of the service's npm package: starts the service, or runs one of its other commands by name.
const COMMANDS = ['backup', 'db', 'doctor', 'import', 'restore', 'source', 'spikes', 'workspace'];
const args = process.argv.slice(2);
const name = args[0] === undefined || args[0].startsWith('-') ? 'start' : args.shift();
if (name === 'start' || name === 'platform') args.unshift(name);
else if (COMMANDS.includes(name)) args.unshift('command', name);
else {
  process.stderr.write(`No command ${name}. There are: start, platform, ${COMMANDS.join(', ')}.\n`);
  process.exit(2);
}
process.argv.splice(2, process.argv.length, ...args);
require('./scripts/run.cjs');
