import type { AuditEffect } from '@pulsewire/audit';
import { isUuid, uuidv7 } from '@pulsewire/kernel';
import os from 'node:os';
import type { AdminArguments, AdminCommand, AdminContext } from './command.ts';

const reads = /\b(?:list|show|lag|keys|attempts|message|statistics|check|measure|size|explain|labs held)$/;

function effectOf({ name }: AdminCommand): AuditEffect {
  if (name.startsWith('keys ') && name !== 'keys list') return 'secret';
  return reads.test(name) ? 'read' : 'change';
}

/** The ids among the arguments; other arguments, such as a label, may be personal data. */
function targetOf({ usage }: AdminCommand, { positionals }: AdminArguments): Record<string, string> {
  const names = [...usage.matchAll(/[<[](\w+_id)[>\]]/g)].map((match) => match[1] as string);
  return Object.fromEntries(
    names.flatMap((name, index): [string, string][] => (isUuid(positionals[index] ?? '') ? [[name, positionals[index] as string]] : [])),
  );
}

/** Records that an operator ran a command. Called after the command, so an entry that cannot be recorded is printed. */
export async function auditCommand(context: AdminContext, command: AdminCommand, args: AdminArguments, status: 0 | 1): Promise<void> {
  if (!context.audit) return;
  const { team_id: teamId = null, user_id: userId = null, ...target } = targetOf(command, args);
  const at = context.clock.now();
  await context.audit
    .recordNow({
      entryId: uuidv7(at.getTime()),
      at,
      teamId,
      actorKind: 'operator',
      actor: `${os.userInfo().username}@${os.hostname()}`,
      effect: effectOf(command),
      action: command.name,
      userId: userId ?? (typeof args.options['user'] === 'string' && isUuid(args.options['user']) ? args.options['user'] : null),
      target: Object.keys(target).length > 0 ? target : null,
      address: null,
      status,
      requestId: null,
    })
    .catch(() => context.print('This command could not be recorded in the audit log.'));
}
