import { ConnectionRecipe, neverExpires, type ValidationError } from '@pulsewire/contract';
import type { AppError } from '@pulsewire/kernel';
import type { Recipe } from '@pulsewire/connections';
import { bodyChunks } from '../../../../http/requests/body-chunks.ts';
import type { RawRequest } from '../../../../context/raw-request.ts';
import { errorsMax, readValue } from '../../../../validate/read-value.ts';
import type { SchemaNode } from '../../../../validate/schema-node.ts';
import { isJson, notUtf8, validationError } from '../../../../validate/validate-request.ts';
import { createBodyReader, BrokenJsonError, type BodyParts } from './body-reader.ts';

/** Most recipes stored in one statement. */
const batchMax = 1000;
/** A client that sends nothing for this long is considered disconnected. */
const silenceMaxMs = 30_000;
const bytesMax = 512 * 1024 * 1024;

/** Only values of these fields may be repeated in errors; the others are or contain tokens. */
const plainFields: ReadonlySet<unknown> = new Set(['user_id', 'provider_id', 'expires_at']);

function withoutSecrets(error: ValidationError): ValidationError {
  const { input: _, ...rest } = error;
  return error.type !== 'missing' && plainFields.has(error.loc.at(-1)) ? error : rest;
}

function toRecipe(value: ConnectionRecipe): Recipe {
  return {
    userId: value.user_id,
    accessToken: value.access_token,
    refreshToken: value.refresh_token === '' ? null : value.refresh_token,
    providerUserId: value.provider_id,
    expiresAt: value.expires_at === neverExpires ? null : new Date(value.expires_at * 1000),
    scopes: value.oauth_scopes ?? null,
  };
}

function errorOfList({ isObject, list }: BodyParts): ValidationError | null {
  if (!isObject) return { type: 'model_attributes_type', loc: ['body'], msg: 'Must be an object' };
  if (list === 'list') return null;
  const loc = ['body', 'connections'];
  return list === 'absent' ? { type: 'missing', loc, msg: 'Field required' } : { type: 'list_type', loc, msg: 'Must be a list' };
}

const bodyMissing = () => validationError([{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }]);

function broken(error: BrokenJsonError): AppError {
  const { message } = error;
  return validationError([{ type: 'json_invalid', loc: ['body', error.position], msg: message, input: {}, ctx: { error: message } }]);
}

/**
 * Streams the recipes of an import and passes them to `store` in batches; at most one batch is in memory. After
 * the first failing field nothing more is stored, but reading continues, so that all failing fields (up to the bound of every request) are
 * reported at once. Returns the other keys of the body. Throws AppError `request_invalid`, `body_too_large` or `body_not_received`.
 */
export async function readRecipes(
  raw: RawRequest,
  fieldsSchema: SchemaNode,
  store: (recipes: readonly Recipe[]) => Promise<void>,
): Promise<Record<string, unknown>> {
  if (!raw.stream) throw bodyMissing();
  if (!isJson(raw.headers['content-type']))
    throw validationError([{ type: 'model_attributes_type', loc: ['body'], msg: 'Must be an object' }]);
  const errors: ValidationError[] = [];
  let batch: Recipe[] = [];
  let isEmpty = true;
  const reader = createBodyReader({
    listKey: 'connections',
    fieldKeys: Object.keys(fieldsSchema.properties ?? {}),
    onItem(value, index) {
      const before = errors.length;
      const recipe = readValue(ConnectionRecipe as SchemaNode, value, ['body', 'connections', index], { part: 'body', errors });
      if (errors.length > before) errors.splice(before, errors.length, ...errors.slice(before).map(withoutSecrets));
      if (errors.length === 0) batch.push(toRecipe(recipe as ConnectionRecipe));
    },
  });
  try {
    const utf8 = new TextDecoder('utf-8', { fatal: true });
    const check = (chunk?: Uint8Array) => {
      try {
        utf8.decode(chunk, { stream: chunk !== undefined });
      } catch {
        throw validationError([{ type: 'value_error', loc: ['body'], msg: notUtf8, input: null }]);
      }
    };
    for await (const chunk of bodyChunks(raw.stream, { bytesMax, timeMs: silenceMaxMs, of: 'silence' })) {
      isEmpty = false;
      check(chunk);
      reader.write(chunk);
      if (errors.length >= errorsMax) throw validationError(errors);
      if (errors.length > 0) batch = [];
      else if (batch.length >= batchMax) {
        await store(batch);
        batch = [];
      }
    }
    if (isEmpty) throw bodyMissing();
    check();
    reader.end();
  } catch (error) {
    throw error instanceof BrokenJsonError ? broken(error) : error;
  }
  const list = errorOfList(reader.parts);
  const given = Object.fromEntries(reader.parts.fields);
  const fieldErrors: ValidationError[] = [];
  const fields = reader.parts.isObject ? readValue(fieldsSchema, given, ['body'], { part: 'body', errors: fieldErrors }) : {};
  const all = [...fieldErrors, ...(list ? [list] : []), ...errors].slice(0, errorsMax);
  if (all.length > 0) throw validationError(all);
  await store(batch);
  return fields as Record<string, unknown>;
}
