const hidden = '[hidden]';
const depthMax = 5;

// Compared without case, `_` and `-`, so that apiKey, api_key and x-api-key are one name.
const secretNames = new Set([
  'accesstoken',
  'apikey',
  'authorization',
  'authorizationcode',
  'body',
  'clientsecret',
  'codeverifier',
  'cookie',
  'credentials',
  'idtoken',
  'linktoken',
  'password',
  'payload',
  'refreshtoken',
  'secret',
  'setcookie',
  'signature',
  'signingsecret',
  'token',
  'webhooksignature',
  'xapikey',
  'xserviceapikey',
  'xservicelinktoken',
]);

function isSecretName(name: string): boolean {
  return secretNames.has(name.replaceAll(/[-_]/g, '').toLowerCase());
}

/**
 * Masks what a text may contain by accident: credentials and query values of URLs, and bearer tokens. Texts come from outside and may be
 * long, so each pattern begins with a literal and stops at its next occurrence, which keeps matching linear.
 */
export function redactText(text: string): string {
  return text
    .replaceAll(/:\/\/[^/\s@?#]+@/g, `://${hidden}@`)
    .replaceAll(/([?&][\w.~-]+=)[^&\s"'#]+/g, `$1${hidden}`)
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`);
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const fields: Record<string, unknown> = { type: error.name, message: redactText(error.message) };
  if ('code' in error && typeof error.code === 'string') fields['errorCode'] = error.code;
  for (const name of ['kind', 'retryable', 'details'] as const) {
    if (name in error) fields[name] = redactValue((error as unknown as Record<string, unknown>)[name], depth + 1);
  }
  if (error.stack !== undefined) fields['stack'] = redactText(error.stack);
  if (error.cause !== undefined) fields['cause'] = redactValue(error.cause, depth + 1);
  return fields;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= depthMax) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return redactFields(value, depth);
}

/** A copy of log fields that is safe to write: secret names hidden at every depth, errors as plain data, texts masked. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    safe[name] = isSecretName(name) && value !== undefined && value !== null ? hidden : redactValue(value, depth + 1);
  }
  return safe;
}
