import { cycleTypes } from './data/cycles.ts';
import { dailyTypes } from './data/daily.ts';
import type { DataType, Operation } from './data/data-type.ts';
import { badRequest } from './errors.ts';
import { logTypes } from './data/logs.ts';
import { measurementTypes } from './data/measurements.ts';
import { movementTypes } from './data/movement.ts';
import { sessionTypes } from './data/sessions.ts';
import { zoneTypes } from './data/zones.ts';

const types = new Map<string, DataType>(
  [...cycleTypes, ...movementTypes, ...zoneTypes, ...measurementTypes, ...dailyTypes, ...sessionTypes, ...logTypes].map((type) => [
    type.name,
    type,
  ]),
);

/** The data type of a path. Throws a refusal where there is none, or where it does not offer the operation. */
export function typeFor(name: string | undefined, operation: Operation): DataType {
  const type = types.get(name ?? '');
  if (type?.operations.includes(operation) === true) return type;
  throw badRequest('INVALID_PARENT_DATA_TYPE_COLLECTION', `${operation} is not supported for the data type ${name ?? ''}`);
}
