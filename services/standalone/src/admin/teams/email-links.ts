import { AppError, isAppError, isUuid, noMetrics, silentLogger } from '@pulsewire/kernel';
import {
  confirmEmailLink,
  createCustody,
  declineEmailLink,
  findLinkedElsewhere,
  listEmailLinks,
  readProviderSettings,
  type LinkedElsewhere,
  type PendingEmailLink,
} from '@pulsewire/connections';
import { openJobs, planningHooks } from '@pulsewire/ingest';
import { createHttpClient } from '@pulsewire/outbound';
import { connectors } from '@pulsewire/providers';
import { required, type AdminArguments, type AdminCommand, type AdminContext } from '../command/command.ts';

const listMax = 200;

function linkIdOf(args: AdminArguments): string {
  const id = required(args, 0, 'link_id');
  if (isUuid(id)) return id.toLowerCase();
  throw new AppError({ code: 'argument_invalid', kind: 'invalid', message: '<link_id> is not an id' });
}

function describe({ linkId, provider, email, region, teamId, userId, application, requestedAt, expiresAt }: PendingEmailLink): string {
  const where = region === null ? '' : ` (${region})`;
  const practice = application === 'team' ? "the team's practice" : 'our practice';
  return `${linkId}  ${provider}  ${email}${where}  by ${practice}  team ${teamId}  user ${userId}  asked ${requestedAt.toISOString()}  until ${expiresAt.toISOString()}`;
}

const describeOther = ({ teamId, teamName, userId, state }: LinkedElsewhere): string =>
  `  also: user ${userId} of team ${teamId} (${teamName}), ${state === 'waits' ? 'who waits too' : state}`;

async function list({ database, clock, print }: AdminContext, args: AdminArguments): Promise<void> {
  const links = await listEmailLinks(database, clock, { provider: args.positionals[0] ?? null, limit: listMax });
  for (const link of links) {
    print(describe(link));
    const others = await findLinkedElsewhere(database, { ...link, providerUserId: null });
    for (const other of others) print(describeOther(other));
  }
  if (links.length === 0) print('No link awaits confirmation.');
}

async function confirm(context: AdminContext, args: AdminArguments): Promise<void> {
  const { database, cipher, clock, print } = context;
  const providers = context.providers ?? readProviderSettings(connectors, {});
  const { connectorFor } = providers;
  const request = {
    linkId: linkIdOf(args),
    patientId: required(args, 1, 'patient_id'),
    traceId: null,
    isForced: args.options['force'] === true,
  };
  await using opened = new AsyncDisposableStack();
  const http = opened.adopt(createHttpClient({ userAgent: 'Pulsewire' }), (client) => client.close());
  const jobs = opened.adopt(await openJobs(database), (own) => own.close());
  const confirmed = confirmEmailLink(
    {
      ...createCustody({ database, cipher, clock, logger: silentLogger, metrics: noMetrics, providers, http }),
      ...planningHooks({ jobs, clock, connectorFor, random: Math.random }),
    },
    request,
  );
  const { connectionId, userId } = await confirmed.catch((error: unknown) => {
    if (!isAppError(error) || error.code !== 'patient_linked_elsewhere') throw error;
    for (const other of error.details['others'] as readonly LinkedElsewhere[]) print(describeOther(other));
    print(
      'Nothing proves that the person who requested this link owns the address. Ask the patient, then confirm with --force, or decline.',
    );
    throw error;
  });
  print(`Confirmed: created connection ${connectionId} for user ${userId}; its history is being pulled.`);
}

/** Links by e-mail need a person: the manager of the practice invites the patient at the provider, and confirms here. */
export const emailLinkCommands: readonly AdminCommand[] = [
  {
    name: 'email-links list',
    usage: '[provider]',
    about: `list the ${listMax} oldest links by e-mail that await confirmation; invite each address on the provider's own pages before confirming`,
    run: list,
  },
  {
    name: 'email-links confirm',
    usage:
      '<link_id> <patient_id> [--force]   (the practice: PROVIDER_<SLUG>_CLIENT_ID and _CLIENT_SECRET, or that of the team, set with `oauth put`)',
    about:
      "create the connection, once the provider lets the practice read this patient; the patient id is on the provider's own pages; --force if the patient is already connected to other users",
    run: confirm,
  },
  {
    name: 'email-links decline',
    usage: '<link_id>',
    about: 'remove a pending link; the user may request another one',
    async run({ database, print }, args) {
      print((await declineEmailLink(database, linkIdOf(args))) ? 'Declined.' : 'No link with this id awaits confirmation.');
    },
  },
];
