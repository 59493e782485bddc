import type { SchemaNode } from './schema-node.ts';

const hidden = '***';

/** Whether the schema marks the value, or a value inside it, as a secret (`format: password`). */
function holdsSecret(node: SchemaNode): boolean {
  return (
    node.format === 'password' || Object.values(node.properties ?? {}).some(holdsSecret) || (node.items ? holdsSecret(node.items) : false)
  );
}

/**
 * A refused value for an error response, without secrets, wherever the error is. Clients log responses, and
 * a password that was sent with a misspelt user name must not appear in such logs.
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
