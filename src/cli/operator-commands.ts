import { normalEmail } from '../common/email-address.js';
import { audited } from './audited.js';
import type { OperatorTools } from './operator-context.js';
import { UsageError } from './run-command.js';
import type { Command, Printed } from './workspace-commands.js';

/** The command that lists the accounts of operators, and releases an address from its account. */
export const OPERATOR_COMMANDS: Record<string, Command> = {
  operators: async (tools, { id, unbind }) => {
    if (id !== undefined) throw new UsageError('operators takes an address as --unbind ADDRESS');
    if (unbind !== undefined) return unbindAddress(tools, normalEmail(unbind));
    const operators = (await tools.operators.list()).map(({ email, subject, boundAt }) => ({
      email,
      account: subject,
      bound_at: boundAt,
    }));
    return {
      json: { operators },
      lines: operators.map(
        ({ email, account, bound_at: boundAt }) => `${email}  ${account}  since ${boundAt.toISOString()}`,
      ),
    };
  },
};

async function unbindAddress({ audit, operators }: OperatorTools, email: string): Promise<Printed> {
  const change = { action: 'operator unbind', resource: { operator: email } };
  await audited(audit, change, () => operators.unbind(email));
  return {
    json: { unbound: email },
    lines: [`${email} is bound to the next account that signs in with it, and has no session any more`],
  };
}
