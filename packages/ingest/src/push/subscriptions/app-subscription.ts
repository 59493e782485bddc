import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { AppError, errorCode, exponentialDelayMs } from '@pulsewire/kernel';
import { reportConfigurationFault } from '@pulsewire/connections';
import { run, type Database } from '@pulsewire/database';
import type { AppSubscription, Connector } from '@pulsewire/providers';
import type { IngestContext, SubscriptionPorts } from '../../context/context.ts';
import type { AppJob } from '../../jobs/queues.ts';
import { appSubscriptions } from '../../model/tables.ts';

interface Row {
  readonly state: Record<string, unknown>;
  readonly secret: Buffer | null;
  readonly renew_at: string | null;
  readonly attempts: number;
}

/** How long the caller that claimed the row may take; no other caller contacts the provider meanwhile. */
const claimMs = 2 * 60_000;
const firstDelayMs = 60_000;
const delayMaxMs = 6 * 3_600_000;

/** What the sealed secret of an application's subscription is bound to. */
export const rowName = (provider: string, owner: string) => `app_subscriptions:${provider}:${owner}`;

const isRow = (provider: string, owner: string) => and(eq(appSubscriptions.provider, provider), eq(appSubscriptions.owner, owner));

/** Claims the row when it is due, creating it if missing; null when another worker has it or nothing is due. */
async function claim({ database, clock }: IngestContext, provider: string, owner: string): Promise<Row | null> {
  const now = clock.now();
  const until = new Date(now.getTime() + claimMs).toISOString();
  const [row] = await database.sql<Row[]>`
    INSERT INTO app_subscriptions AS a (provider, owner, due_at, updated_at) VALUES (${provider}, ${owner}, ${until}, ${now.toISOString()})
    ON CONFLICT (provider, owner) DO UPDATE SET due_at = excluded.due_at WHERE a.due_at <= ${now.toISOString()}
    RETURNING state, secret, renew_at, attempts`;
  return row ?? null;
}

async function saveSubscription(context: IngestContext, ports: SubscriptionPorts, provider: string, owner: string, made: AppSubscription) {
  const at = context.clock.now().toISOString();
  const secret = made.secret === null ? null : ports.seal(made.secret, rowName(provider, owner));
  const renewAt = made.renewAt.toISOString();
  const values = { state: made.state, secret, renewAt, dueAt: renewAt, errorCode: null, attempts: 0, updatedAt: at };
  await run(context.database.orm.update(appSubscriptions).set(values).where(isRow(provider, owner)));
}

async function saveFailure({ database, clock }: IngestContext, provider: string, owner: string, attempts: number, code: string) {
  const now = clock.now();
  const dueAt = new Date(now.getTime() + exponentialDelayMs(attempts, firstDelayMs, delayMaxMs)).toISOString();
  const values = { attempts: sql`${appSubscriptions.attempts} + 1`, errorCode: code, dueAt, updatedAt: now.toISOString() };
  await run(database.orm.update(appSubscriptions).set(values).where(isRow(provider, owner)));
}

/**
 * Creates or renews the subscription of one application when it is due. Any number of workers may call it concurrently: one contacts the
 * provider. A failure is stored, retried later, and thrown.
 */
export async function renewAppSubscription(context: IngestContext, { provider, owner }: AppJob, signal: AbortSignal): Promise<void> {
  const { subscriptions: ports, database, clock, logger } = context;
  const connector = context.connectorFor(provider);
  const application = await ports?.applicationOf(provider, owner);
  if (!ports || !connector?.push?.ensure || !application) {
    if (ports) await run(database.orm.delete(appSubscriptions).where(isRow(provider, owner)));
    return;
  }
  const row = await claim(context, provider, owner);
  if (!row) return;
  try {
    const address = ports.addressOf(connector, owner);
    if (!address)
      throw new AppError({
        code: 'push_not_configured',
        kind: 'invalid',
        message: 'No address or verification code is configured for pushes',
      });
    const known: AppSubscription | null =
      row.renew_at === null
        ? null
        : { state: row.state, secret: row.secret && ports.open(row.secret, rowName(provider, owner)), renewAt: new Date(row.renew_at) };
    const http = ports.loginHttpFor(connector, signal);
    await saveSubscription(
      context,
      ports,
      provider,
      owner,
      await connector.push.ensure({ http, application, address, known, now: clock.now() }),
    );
    logger.info({ provider, owner }, 'app_subscription.renewed');
  } catch (error) {
    await saveFailure(context, provider, owner, row.attempts, errorCode(error));
    reportConfigurationFault(context, provider, error);
    logger.warn({ provider, owner, errorCode: errorCode(error) }, 'app_subscription.failed');
    throw error;
  }
}

/** As `renewAppSubscription`, and throws AppError `app_subscription_missing` (retryable) while the application has none. */
export async function ensureAppSubscription(
  context: IngestContext,
  connector: Connector,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
  await renewAppSubscription(context, { provider: connector.slug, owner }, signal);
  const { orm } = context.database;
  const isMade = and(isRow(connector.slug, owner), isNotNull(appSubscriptions.renewAt));
  const [row] = await run(orm.select({ owner: appSubscriptions.owner }).from(appSubscriptions).where(isMade));
  if (row) return;
  throw new AppError({
    code: 'app_subscription_missing',
    kind: 'unavailable',
    message: 'The application has not subscribed to pushes yet',
    retryable: true,
  });
}

/** The secrets that a provider issued with its applications' subscriptions, by owner: its signatures are checked against them. */
export async function readSubscriptionSecrets(
  { orm }: Pick<Database, 'orm'>,
  { open }: Pick<SubscriptionPorts, 'open'>,
  provider: string,
): Promise<ReadonlyMap<string, string>> {
  const { owner, secret } = appSubscriptions;
  const isSecret = and(eq(appSubscriptions.provider, provider), isNotNull(secret));
  const rows = await run(orm.select({ owner, secret }).from(appSubscriptions).where(isSecret));
  return new Map(rows.flatMap((row) => (row.secret === null ? [] : [[row.owner, open(row.secret, rowName(provider, row.owner))]])));
}
