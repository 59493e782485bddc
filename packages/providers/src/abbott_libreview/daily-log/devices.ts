import { JsonNode } from '../../kit/values/json-node.ts';

/** Sensors and readers of a patient, in the form that a report request needs. */
export interface Devices {
  readonly primaryId: string;
  readonly primaryType: number;
  readonly otherIds: readonly string[];
}

const idPattern = /^[\w-]{1,64}$/;
const devicesMax = 50;

/** Parses the devices of `reportSettings`; the primary one is the first with data of the last day. Null when there are none. */
export function readDevices(body: unknown): Devices | null {
  const sources = new JsonNode(body).at('data').at('dataSources');
  if (typeof sources.value !== 'object' || sources.value === null) return null;
  const known = Object.keys(sources.value)
    .slice(0, devicesMax)
    .flatMap((id) => {
      const type = sources.at(id).at('type').value;
      const days = sources.at(id).at('daysData').value;
      const isFresh = Array.isArray(days) && days.includes(1);
      return idPattern.test(id) && typeof type === 'number' && Number.isSafeInteger(type) ? [{ id, type, isFresh }] : [];
    });
  const primary = known.find(({ isFresh }) => isFresh) ?? known[0];
  if (!primary) return null;
  return { primaryId: primary.id, primaryType: primary.type, otherIds: known.flatMap(({ id }) => (id === primary.id ? [] : [id])) };
}
