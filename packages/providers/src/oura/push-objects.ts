/** The object id that a push passes to the pulls: data type and document id. */
export function objectIdOf(dataType: string, documentId: string): string {
  return `${dataType}/${documentId}`;
}

export function documentIdOf(objectId: string): string {
  return objectId.slice(objectId.indexOf('/') + 1);
}

export function dataTypeOf(objectId: string): string {
  return objectId.slice(0, Math.max(0, objectId.indexOf('/')));
}
