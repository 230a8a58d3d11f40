#!/usr/bin/env node
import { runProgram } from './program.js';

// A reader such as `head` that closes the pipe early ends the program.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runProgram(process.argv.slice(2), process);
