import { beforeAll, describe } from 'vitest';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { useDatabase } from '../../support/database.ts';
import { describeLog } from '../eventlog/log-conformance.ts';
import { useRoad } from './road.ts';

describeKafka('the log on Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 20 });
  const road = useRoad(kafka, () => database.current);

  describe('as every log', () => {
    beforeAll(() => void road.startRelay());
    describeLog({ database: () => database.current, createLog: () => road.createLog() });
  });
});
