import { republishConnections } from '@pulsewire/connections';
import { isDataError } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import type { LostKey } from '@pulsewire/kafka';
import { AppError, noMetrics, silentLogger } from '@pulsewire/kernel';
import { findIdentity } from '@pulsewire/providers';
import { restateSummaries } from '@pulsewire/store';
import type { AdminCommand, AdminContext } from '../command/command.ts';

const idsMax = 200;

/** The team's stored reference of the user; for an erased user, the one in the lost event. */
async function readReference({ database }: AdminContext, { teamId, userId, clientUserId }: LostKey): Promise<string> {
  const [row] = await database.sql<{ client_user_id: string }[]>`
    SELECT client_user_id FROM users WHERE team_id = ${teamId} AND user_id = ${userId}`;
  return row?.client_user_id ?? clientUserId ?? '';
}

/** Emits the stored state of these keys of one user, in transactions of a bounded size. */
async function restate(context: AdminContext, keys: readonly LostKey[]): Promise<{ stated: number; removed: number }> {
  const sum = { stated: 0, removed: 0 };
  const [first] = keys;
  if (first === undefined) return sum;
  const user = { teamId: first.teamId, userId: first.userId, clientUserId: await readReference(context, first) };
  const add = (outcome: { readonly stated: number; readonly removed: number }) => {
    sum.stated += outcome.stated;
    sum.removed += outcome.removed;
  };
  const idsOf = (kind: LostKey['kind']) => keys.filter((key) => key.kind === kind).map(({ id }) => id);
  const summaryIds = idsOf('summary');
  for (let from = 0; from < summaryIds.length; from += idsMax) {
    const ids = summaryIds.slice(from, from + idsMax);
    add(
      await withEvents(context.database, (tx, emit) => restateSummaries(tx, emit, user, ids, (slug) => findIdentity(slug)?.sourceId ?? 0)),
    );
  }
  const slugs = idsOf('connection');
  const baseUrl = context.baseUrl ?? 'http://127.0.0.1:8080';
  const options = { findProvider: (slug: string) => findIdentity(slug), logoBaseUrl: `${baseUrl.replace(/\/+$/, '')}/logos` };
  if (slugs.length > 0) add(await withEvents(context.database, (tx, emit) => republishConnections(tx, emit, user, slugs, options)));
  return sum;
}

/** After a loss of history: publishes to the compacted topics the stored state of every key that a lost event had set or removed. */
export const logRepublishCommand: AdminCommand = {
  name: 'log republish',
  usage: '',
  about: 'publish the stored state of the summaries and connections whose events a failover or restore has lost',
  async run(context) {
    const { database, kafka, print } = context;
    if (kafka.kafkaBrokers.length === 0)
      throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'This command needs KAFKA_BROKERS' });
    const { openKafka, readLostKeys } = await import('@pulsewire/kafka');
    const open = await openKafka({ config: kafka, logger: silentLogger, metrics: noMetrics });
    const sum = { stated: 0, removed: 0, failed: 0 };
    try {
      const tally = await readLostKeys({ database, ...open, topicPrefix: kafka.kafkaTopicPrefix }, async (keys) => {
        for (const ofUser of Map.groupBy(keys, ({ userId }) => userId).values()) {
          // A user whose state cannot be published must not block the others.
          const outcome = await restate(context, ofUser).catch((error: unknown) => {
            if (!isDataError(error)) throw error;
            sum.failed += ofUser.length;
            return { stated: 0, removed: 0 };
          });
          sum.stated += outcome.stated;
          sum.removed += outcome.removed;
        }
        print(`${sum.stated + sum.removed} keys …`);
      });
      print(`${tally.records} records of lost events (${tally.refused} unreadable or foreign), ${tally.keys} keys`);
      print(`${sum.stated} published as stored, ${sum.removed} removed, ${tally.superseded} had a later event, ${sum.failed} failed`);
      if (sum.failed > 0)
        throw new AppError({ code: 'republish_incomplete', kind: 'conflict', message: 'Some keys could not be published' });
    } finally {
      await open.close();
    }
  },
};
