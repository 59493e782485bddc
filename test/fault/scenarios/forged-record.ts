import { createSecretKey, randomUUID } from 'node:crypto';
import { sleep } from '@pulsewire/kernel';
import { jsonEvent, readShardCount, shardOf, type LogEvent } from '@pulsewire/eventlog';
import { sealOf, type OpenKafka, type OutgoingRecord } from '@pulsewire/kafka';
import { userIdOf, usersCount } from '../harness/people.ts';
import { createLoad, extend } from './load.ts';
import { withKafka } from './with-kafka.ts';
import type { Scenario } from './scenario.ts';

const everyMs = 50;
/** How far forged sequences are ahead of the log. */
const aheadMax = 3;

/** Two records of an event that was never written: one without origin, and one of another installation, signed with its key. */
async function forge(writer: OpenKafka['writer'], event: LogEvent): Promise<readonly OutgoingRecord[]> {
  const { event: record } = await writer.recordsOf(event);
  const headers = { ...record.headers, ce_installation: randomUUID() };
  const mac = sealOf({ installationId: '', macKey: createSecretKey(Buffer.alloc(32)) }, headers, record.value);
  return [record, { ...record, headers: { ...headers, mac } }];
}

export const forgedRecord: Scenario = {
  name: 'forged-record',
  summary: 'records with the next sequences of the log, which no one committed, are written to the event topic',
  run: (options) =>
    withKafka(async ({ url, judge, kafka, env }) => {
      const load = await createLoad({ ...options, url, judge, env, services: ['relay 1'] });
      const producer = kafka.createProducer();
      let forged = 0;
      try {
        load.start();
        await load.arriving();
        const shardCount = await readShardCount(judge);
        const endMs = performance.now() + options.seconds * 1000;
        while (performance.now() < endMs) {
          const userId = userIdOf(forged % usersCount);
          const shard = shardOf(userId, shardCount);
          const [row] = await judge.sql<
            { next_offset: string; day: string }[]
          >`SELECT next_offset, day::text FROM log_shards WHERE shard = ${shard}`;
          const data = { user_id: userId, provider: 'fitbit', error_type: 'unknown', message: 'Forged.', error_details: 'forged' };
          const made = jsonEvent({ eventType: 'provider.connection.error', teamId: load.teamId, userId, clientUserId: 'forged', data });
          const offset = Number(row?.next_offset) + (forged % (aheadMax + 1));
          const records = await forge(kafka.writer, { ...made, shard, offset, day: row?.day ?? '', writtenAt: Date.now() });
          await producer.send(kafka.names.events, records);
          forged += records.length;
          await sleep(everyMs);
        }
        options.report(`${forged} records forged; ${load.witness.sightings.size} messages so far`);
        const result = await load.finish();
        return extend(result, { 'forged records': forged }, [['nothing was forged', forged === 0]]);
      } finally {
        await producer.close();
        await load.close();
      }
    }),
};
