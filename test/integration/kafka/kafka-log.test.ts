import { beforeAll, describe } from 'vitest';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { useDatabase } from '../../support/database.ts';
import { describeLog } from '../eventlog/log-conformance.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

describeKafka('the log on Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 20 });
  const harness = useKafkaHarness(kafka, () => database.current);

  describe('conformance', () => {
    beforeAll(() => void harness.startRelay());
    describeLog({ database: () => database.current, createLog: () => harness.createLog() });
  });
});
