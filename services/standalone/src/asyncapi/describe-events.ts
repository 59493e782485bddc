import { topicCatalogue, type Topic } from '@pulsewire/kafka';
import { messagesOfTopic, recordMessages, recordSchemas } from './record-messages.ts';
import { webhookMessages, webhookSchemas } from './webhook-messages.ts';

const reference = (path: string) => ({ $ref: `#/${path}` });
const prefix = 'pulsewire.';
const sizes = { kafkaPartitions: 16, kafkaReplication: 3, kafkaRetentionHours: 120 };

const servers = {
  endpoint: {
    host: '{endpoint}',
    protocol: 'https',
    description: 'An endpoint of the team, registered with `POST /v2/team/webhook`.',
    variables: { endpoint: { default: 'example.com', description: 'Host, port and path of the endpoint.' } },
  },
  kafka: {
    host: '{broker}',
    protocol: 'kafka',
    description: 'Brokers and schema registry of the installation; only where the operator configured them.',
    variables: { broker: { default: '127.0.0.1:9092', description: 'Host and port of a broker.' } },
  },
};

const messageReferences = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, reference(`components/messages/${name}`)]));

function webhookChannel(names: readonly string[]): object {
  return {
    address: null,
    title: 'Webhooks',
    description: 'Each committed change, at least once, to every endpoint that subscribes to its event type.',
    servers: [reference('servers/endpoint')],
    messages: messageReferences(names),
  };
}

/** Converts broker settings for the binding: lists to arrays, numeric texts to numbers. */
function topicConfiguration(configs: Topic['configs']): object {
  const entries = Object.entries(configs)
    .filter(([name]) => ['cleanup.policy', 'retention.ms', 'delete.retention.ms'].includes(name))
    .map(([name, value]) => [name, name === 'cleanup.policy' ? value.split(',') : Number(value)] as const);
  return Object.fromEntries(entries);
}

function topicChannel(topic: Topic, name: string): object {
  return {
    address: `{prefix}${name}`,
    title: `Topic ${name}`,
    description: `Keyed by ${topic.key}. Partitioned by user: all events of a user are in one partition, in order of the commits.`,
    parameters: { prefix: { default: prefix, description: 'The setting KAFKA_TOPIC_PREFIX.' } },
    servers: [reference('servers/kafka')],
    messages: messageReferences(messagesOfTopic(name)),
    bindings: { kafka: { topicConfiguration: topicConfiguration(topic.configs), bindingVersion: '0.5.0' } },
  };
}

const post = { http: { method: 'POST', bindingVersion: '0.3.0' } };

const sendTo = (channel: string, summary: string, bindings?: object) => ({
  action: 'send',
  channel: reference(`channels/${channel}`),
  summary,
  ...(bindings !== undefined && { bindings }),
});

/** The AsyncAPI document of everything that an installation sends: webhooks, and records on Kafka. */
export function describeEvents(version: string): object {
  const webhooks = webhookMessages();
  const topics = topicCatalogue({ kafkaTopicPrefix: '', ...sizes });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Pulsewire',
      version,
      description: 'Webhooks that teams receive, and the topics to which an installation with Kafka publishes the same events.',
    },
    defaultContentType: 'application/json',
    servers,
    channels: {
      webhooks: webhookChannel(Object.keys(webhooks)),
      ...Object.fromEntries(topics.map((topic) => [topic.name, topicChannel(topic, topic.name)])),
    },
    operations: {
      sendWebhook: sendTo('webhooks', 'Delivers an event to an endpoint; any status from 200 to 299 acknowledges it.', post),
      publishEvents: sendTo('events', 'Publishes every event.'),
      publishSummaries: sendTo('summaries', 'Publishes the latest event of each summary, and tombstones.'),
      publishConnections: sendTo('connections', 'Publishes the latest event of each connection, and tombstones.'),
    },
    components: {
      schemas: { ...webhookSchemas, ...recordSchemas },
      messages: { ...webhooks, ...recordMessages() },
    },
  };
}
