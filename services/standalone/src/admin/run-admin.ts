import { parseArgs } from 'node:util';
import { isAppError } from '@pulsewire/kernel';
import type { AdminArguments, AdminCommand, AdminContext } from './command/command.ts';
import { auditCommand } from './command/audit-command.ts';
import { auditCommands } from './data/audit.ts';
import { bulkCommands } from './data/bulk.ts';
import { databaseCommands } from './data/database.ts';
import { demoCommands } from './teams/demo.ts';
import { dataKeyCommands } from './encryption/data-keys.ts';
import { erasureCommands } from './data/erasures.ts';
import { explainCommand } from './explain/explain.ts';
import { emailLinkCommands } from './teams/email-links.ts';
import { encryptionCommands } from './encryption/keys-rotation.ts';
import { handoverCommands } from './teams/handovers.ts';
import { keyCommands } from './teams/keys.ts';
import { labCommands } from './labs/labs.ts';
import { logRepublishCommand } from './log/log-republish.ts';
import { offsetCommands } from './data/offsets.ts';
import { oauthCommands } from './teams/oauth.ts';
import { importCommand } from './data/import.ts';
import { operationCommands } from './log/operations.ts';
import { phoneCommands } from './data/phones.ts';
import { reportCommands } from './data/reports.ts';
import { restoredCommand } from './data/restored.ts';
import { teamCommands } from './teams/teams.ts';
import { topicCommands } from './log/topics.ts';
import { vaultCommands } from './data/vault.ts';
import { webhookQuarantineCommands } from './webhooks/webhook-quarantine.ts';
import { webhookReplayCommands } from './webhooks/webhook-replays.ts';
import { webhookCommands } from './webhooks/webhooks.ts';

const commands: readonly AdminCommand[] = [
  ...teamCommands,
  ...keyCommands,
  ...auditCommands,
  ...oauthCommands,
  ...emailLinkCommands,
  ...handoverCommands,
  ...bulkCommands,
  ...databaseCommands,
  ...demoCommands,
  ...encryptionCommands,
  ...dataKeyCommands,
  ...operationCommands,
  logRepublishCommand,
  ...erasureCommands,
  explainCommand,
  importCommand,
  ...labCommands,
  ...offsetCommands,
  ...phoneCommands,
  ...reportCommands,
  restoredCommand,
  ...webhookCommands,
  ...webhookReplayCommands,
  ...webhookQuarantineCommands,
  ...vaultCommands,
  ...topicCommands((context) => context.kafka),
];

const misuse: ReadonlySet<string> = new Set(['argument_missing', 'argument_invalid', 'shard_count_invalid']);

/** The options of all commands. */
export const adminOptions = {
  name: { type: 'string' },
  label: { type: 'string' },
  scopes: { type: 'string' },
  account: { type: 'string' },
  addresses: { type: 'string' },
  rate: { type: 'string' },
  production: { type: 'boolean' },
  'client-id': { type: 'string' },
  'redirect-url': { type: 'string' },
  status: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  user: { type: 'string' },
  team: { type: 'string' },
  data: { type: 'string' },
  effect: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  resources: { type: 'string' },
  types: { type: 'string' },
  selection: { type: 'string' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
  snapshot: { type: 'boolean' },
} as const;

/** Help text: every command with its arguments. */
export function adminHelp(): string {
  const lines = commands.map((command) => `  ${`${command.name} ${command.usage}`.trim()}\n      ${command.about}`);
  return ['npm run admin -- <command>', '', ...lines].join('\n');
}

/** The command named by these words, with its arguments; undefined when there is none. */
export function findCommand(words: readonly string[]): { command: AdminCommand; rest: string[] } | undefined {
  for (const length of [2, 1]) {
    const command = commands.find((candidate) => candidate.name === words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
}

/** Runs one command; returns the exit code. Errors are printed as messages, never as stack traces. */
export async function runAdmin(words: readonly string[], context: AdminContext): Promise<number> {
  const found = findCommand(words);
  if (!found) {
    context.print(adminHelp());
    return 64;
  }
  try {
    const { values, positionals } = parseArgs({
      args: found.rest,
      allowPositionals: true,
      options: adminOptions,
    });
    const args: AdminArguments = { positionals, options: values };
    let status: 0 | 1 = 1;
    try {
      await found.command.run(context, args);
      status = 0;
    } finally {
      await auditCommand(context, found.command, args, status);
    }
    return 0;
  } catch (error) {
    const isUsage = error instanceof TypeError && 'code' in error;
    if (!isAppError(error) && !isUsage) throw error;
    context.print(`${(error as Error).message}.`);
    // Only for errors in the arguments, not for others such as an unavailable broker.
    const isMisuse = isUsage || (isAppError(error) && misuse.has(error.code));
    if (isMisuse) context.print(`Usage: ${found.command.name} ${found.command.usage}`.trim());
    return 1;
  }
}
