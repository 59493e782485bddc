const magic = 0;
const prefixBytes = 5;

/** Avro bytes preceded by the id of the schema that wrote them, in the format of Confluent's clients. */
export function wrapAvro(schemaId: number, avro: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(prefixBytes + avro.length);
  framed[0] = magic;
  framed.writeUInt32BE(schemaId, 1);
  avro.copy(framed, prefixBytes);
  return framed;
}

/** Id of the schema and the Avro bytes; null when the value is not in this format. */
export function unwrapAvro(value: Buffer): { readonly schemaId: number; readonly avro: Buffer } | null {
  if (value.length < prefixBytes || value[0] !== magic) return null;
  return { schemaId: value.readUInt32BE(1), avro: value.subarray(prefixBytes) };
}
