import { beforeAll, describe } from 'vitest';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { useDatabase } from '../../support/database.ts';
import { describeLog } from '../eventlog/log-conformance.ts';
import { useKafkaStage } from './kafka-stage.ts';

describeKafka('the log on Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 20 });
  const stage = useKafkaStage(kafka, () => database.current);

  describe('conformance', () => {
    beforeAll(() => void stage.startRelay());
    describeLog({ database: () => database.current, createLog: () => stage.createLog() });
  });
});
