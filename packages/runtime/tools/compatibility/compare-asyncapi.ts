import { compareSchemas, type Break, type Versions } from './compare-schemas.ts';
import { objectAt, resolve, type Schema } from './schema-nodes.ts';

const at = (path: string, problem: string): readonly Break[] => [{ path, problem }];

function compareKey(older: Schema, newer: Schema, key: string, path: string): readonly Break[] {
  const [before, after] = [JSON.stringify(older[key]), JSON.stringify(newer[key])];
  return before === after ? [] : at(path, `${key} changed from ${before ?? 'none'} to ${after ?? 'none'}`);
}

function compareMessages(older: Schema, newer: Schema, documents: Versions, path: string): readonly Break[] {
  const headers = compareSchemas({ older: older['headers'], newer: newer['headers'] }, documents, 'sent', `${path} headers`);
  const [before, after] = [objectAt(older['payload']), objectAt(newer['payload'])];
  const plain = [...compareKey(older, newer, 'contentType', path), ...compareKey(before, after, 'schemaFormat', `${path} payload`)];
  // Avro has rules of its own, and a check of its own.
  const payload = 'schemaFormat' in before ? [] : compareSchemas({ older: before, newer: after }, documents, 'sent', `${path} payload`);
  return [...plain, ...headers, ...payload];
}

function compareChannels(older: Schema, newer: Schema, documents: Versions, path: string): readonly Break[] {
  const after = objectAt(newer['messages']);
  const messages = Object.entries(objectAt(older['messages'])).flatMap(([name, message]) => {
    const inner = `${path} ${name}`;
    if (!(name in after)) return at(inner, 'the message is gone');
    return compareMessages(resolve(message, documents.older), resolve(after[name], documents.newer), documents, inner);
  });
  return [...compareKey(older, newer, 'address', path), ...messages];
}

/** Every promise of an AsyncAPI document that the newer version breaks. */
export function compareAsyncApi(documents: Versions): readonly Break[] {
  const [older, newer] = [objectAt(documents.older), objectAt(documents.newer)];
  const after = objectAt(newer['channels']);
  const channels = Object.entries(objectAt(older['channels'])).flatMap(([name, channel]) =>
    name in after ? compareChannels(objectAt(channel), objectAt(after[name]), documents, name) : at(name, 'the channel is gone'),
  );
  const operations = Object.entries(objectAt(older['operations'])).flatMap(([name, operation]) => {
    const now = objectAt(newer['operations'])[name];
    if (now === undefined) return at(name, 'the operation is gone');
    return ['action', 'channel'].flatMap((key) => compareKey(objectAt(operation), objectAt(now), key, name));
  });
  return [...channels, ...operations];
}
