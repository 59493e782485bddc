import { Compile } from 'typebox/schema';
import { findEventFamily } from '../events/events.ts';
import { bodySchema } from './schema-files.ts';

const validators = new Map<string, ReturnType<typeof Compile>>();

function validatorOf(eventType: string): ReturnType<typeof Compile> | undefined {
  const family = findEventFamily(eventType);
  if (family === undefined) return undefined;
  const known = validators.get(family.name) ?? Compile(bodySchema(family));
  validators.set(family.name, known);
  return known;
}

/**
 * Checks a webhook body: returns event type, path and reason of a problem; undefined when the body matches the published schema of its
 * type.
 */
export function findEventProblem(body: unknown): string | undefined {
  const eventType = typeof body === 'object' && body !== null && 'event_type' in body ? body.event_type : undefined;
  if (typeof eventType !== 'string') return 'unknown: the body names no event_type';
  const validator = validatorOf(eventType);
  if (validator === undefined) return `${eventType}: there is no schema of this type`;
  if (validator.Check(body)) return undefined;
  // The deepest error is the most specific; those above it are its consequences.
  const [deepest] = validator.Errors(body)[1].toSorted((a, b) => b.instancePath.length - a.instancePath.length);
  return `${eventType} ${deepest?.instancePath || '/'}: ${deepest?.message ?? 'does not fit the schema'}`;
}
