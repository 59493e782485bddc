/** What a push names, as the pulls get it: the kind of data and the document's id. */
export function objectIdOf(dataType: string, documentId: string): string {
  return `${dataType}/${documentId}`;
}

export function documentIdOf(objectId: string): string {
  return objectId.slice(objectId.indexOf('/') + 1);
}

export function dataTypeOf(objectId: string): string {
  return objectId.slice(0, Math.max(0, objectId.indexOf('/')));
}
