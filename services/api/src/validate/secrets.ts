import type { SchemaNode } from './schema-node.ts';

const hidden = '***';

/** A value that the schema marks as a secret (`format: password`), alone or below. */
function holdsSecret(node: SchemaNode): boolean {
  return (
    node.format === 'password' || Object.values(node.properties ?? {}).some(holdsSecret) || (node.items ? holdsSecret(node.items) : false)
  );
}

/**
 * A refused value as it may stand in an answer: a secret is not repeated, wherever the mistake is. Answers are logged by whoever
 * gets them; a password that came with a misspelt user name must not end up there.
 */
export function withoutSecrets(node: SchemaNode, value: unknown): unknown {
  if (value === undefined || value === null || !holdsSecret(node)) return value;
  if (node.items && Array.isArray(value)) return hidden;
  if (typeof value !== 'object' || Array.isArray(value)) return hidden;
  const properties = node.properties ?? {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return [key, schema ? withoutSecrets(schema, item) : item];
    }),
  );
}
