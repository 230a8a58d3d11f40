import 'reflect-metadata';
import { runCommand } from './run-command.js';
import { runWorkspaceCommand, WORKSPACE_USAGE } from './workspace-program.js';

await runCommand(WORKSPACE_USAGE, runWorkspaceCommand);
