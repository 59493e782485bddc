import { AppError, errorCode } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { Connector } from '@pulsewire/providers';
import { listRuns, listVaultUsers, type VaultRun, type VaultRange } from '../vault/vault-runs.ts';
import { openNewerReadings, type NewerReadings } from './newer-readings.ts';
import { createTally, type RenormaliseTally } from './renormalise-tally.ts';
import { replayRun } from '../vault/replay-run.ts';
import type { VaultCipher } from '../sealed/seal-part.ts';
import { writeAgain, type OpenRun, type WriteOptions } from './write-again.ts';

/** A dry run counts and changes nothing; other writes of a user wait while it counts that user's runs. */
export interface RenormaliseRequest extends VaultRange, WriteOptions {}

export interface RenormaliseContext {
  readonly database: Database;
  readonly cipher: VaultCipher;
  connectorFor(slug: string): Connector | undefined;
}

/** Called after each user with the progress. */
export type RenormaliseProgress = (tally: RenormaliseTally, userId: string) => void;

/** Whether this run may contain records of the wanted resources. For a push this is known only after it is mapped. */
function isRequested(connector: Connector, run: VaultRun, resources: readonly string[] | null): boolean {
  if (resources === null || run.source === 'push') return true;
  const fed = connector.pulls.find(({ name }) => name === run.pull)?.resources;
  return fed === undefined || fed.some((resource) => resources.includes(resource));
}

async function renormaliseRun(
  context: RenormaliseContext,
  connector: Connector,
  run: VaultRun,
  newer: NewerReadings,
  open: OpenRun,
  tally: RenormaliseTally,
) {
  const write = await open(run);
  if (!write) return tally.add({ withoutConnection: 1 });
  const reading = newer.open(run.connectionId, !run.isWhole);
  try {
    const end = await replayRun(context, connector, run, async (page) => {
      await write(newer.without(run.connectionId, page));
      reading.add(page);
    });
    if (end.state === 'done') reading.end();
    tally.add({ runs: 1, responses: end.responses, notInVault: end.state === 'not_in_vault' && run.isWhole ? 1 : 0 });
    if (end.state === 'failed') tally.fail(run.pull, end.errorCode);
  } catch (error) {
    // The run was erased, or dropped by the retention, while it was read.
    if (errorCode(error) !== 'vault_run_gone') throw error;
    tally.add({ gone: 1 });
  }
}

async function renormaliseUser(
  context: RenormaliseContext,
  connector: Connector,
  userId: string,
  request: RenormaliseRequest,
  tally: RenormaliseTally,
): Promise<void> {
  const { database } = context;
  await writeAgain(context, connector, userId, request, tally, async (open) => {
    const newer = openNewerReadings();
    let after: VaultRun | null = null;
    do {
      const runs: readonly VaultRun[] = await listRuns(database, userId, request, after);
      for (const run of runs)
        if (isRequested(connector, run, request.resources)) await renormaliseRun(context, connector, run, newer, open, tally);
      after = runs.at(-1) ?? null;
    } while (after);
  });
  tally.add({ users: 1 });
}

/**
 * Maps the responses in the vault again with the current connector, and stores the records under their original versions. The same version
 * with another value replaces, a newer version is never overwritten, an equal value is no change. Records that were deleted since stay
 * deleted, including those that could not be mapped before their deletion. Emits events for real changes only. Makes no provider calls. May
 * be interrupted and repeated: a repeat changes nothing in what was done already. Records that the fixed mapper no longer produces stay.
 * Throws AppError `provider_unknown`, and what `openPart` throws.
 */
export async function renormalise(
  context: RenormaliseContext,
  request: RenormaliseRequest,
  onProgress: RenormaliseProgress = () => {},
): Promise<RenormaliseTally> {
  const connector = context.connectorFor(request.provider);
  if (!connector) throw new AppError({ code: 'provider_unknown', kind: 'not_found', message: 'There is no provider with this name' });
  const tally = createTally();
  let afterId: string | null = null;
  for (;;) {
    const users: readonly string[] = await listVaultUsers(context.database, request, afterId);
    for (const userId of users) {
      await renormaliseUser(context, connector, userId, request, tally);
      onProgress(tally, userId);
    }
    afterId = users.at(-1) ?? null;
    if (afterId === null) return tally;
  }
}
