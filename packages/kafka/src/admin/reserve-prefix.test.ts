import kafkajs from 'kafkajs';
import { expect, it } from 'vitest';
import { kafkaUnavailable } from '../client/kafka-error.ts';
import { whyNotMarked } from './reserve-prefix.ts';

const refusal = (type: string) =>
  kafkaUnavailable(
    'the prefix could not be marked',
    new kafkajs.KafkaJSAggregateError('Topic creation errors', [
      Object.assign(new kafkajs.KafkaJSProtocolError(new Error('refused')), { type }) as kafkajs.KafkaJSProtocolError,
    ]),
  );

it.each(['TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED'])(
  'names the missing permission when the brokers respond with %s',
  (type) => {
    const reported = whyNotMarked(refusal(type), 'pw.installation.1', 'pw.');
    expect(reported).toContain('lacks the right `Create` on topics with the prefix pw.');
    expect(reported).toContain('the topic pw.installation.1');
  },
);

it('reports the broker error when the marking topic cannot be created for another reason', () => {
  expect(whyNotMarked(refusal('POLICY_VIOLATION'), 'pw.installation.1', 'pw.')).toContain('POLICY_VIOLATION');
});
