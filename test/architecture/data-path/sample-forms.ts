const depthMax = 5;
const visitedMax = 2000;
const searchedBytes = 64 * 1024;

/** Field names that occur only in a form of the sample: push, window, sample, row of samples, event, message. */
const fields: ReadonlySet<string> = new Set(['pushId', 'collectionType', 'windowId', 'timezoneOffset', 'entries', 'entry', 'eventId']);

/** Occurs in Fitbit's notification, the request, Fitbit's response, and the body of the message. */
const texts = ['"collectionType"', 'activities/heart', 'activities-heart', '"unit":"bpm"'];

const isText = (text: string) => texts.some((one) => text.includes(one));

/**
 * Whether a plain value has the sample in it, in any form that it takes on its way. Instances of classes, sets and functions are not
 * searched.
 */
export function carriesSample(value: unknown): boolean {
  let visited = 0;
  function search(inner: unknown, depth: number): boolean {
    visited += 1;
    if (typeof inner === 'string') return isText(inner.slice(0, searchedBytes));
    if (typeof inner !== 'object' || inner === null || depth > depthMax || visited > visitedMax) return false;
    if (inner instanceof Uint8Array) return isText(Buffer.from(inner.subarray(0, searchedBytes)).toString('latin1'));
    if (inner instanceof Map) return [...inner.values()].some((one) => search(one, depth + 1));
    if (Array.isArray(inner)) return inner.slice(0, 20).some((one) => search(one, depth + 1));
    const prototype: unknown = Object.getPrototypeOf(inner);
    if (prototype !== Object.prototype && prototype !== null) return false;
    const keys = Object.keys(inner);
    if (keys.some((key) => fields.has(key)) || (keys.includes('startDate') && keys.includes('endDate'))) return true;
    return Object.values(inner).some((one) => search(one, depth + 1));
  }
  return search(value, 0);
}
