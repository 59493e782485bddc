// The driver quotes and escapes every element of an array with regular expressions; on the write path
// it is several times cheaper to build the literal here.

/** `{1,2,NULL}` for numeric, date and boolean arrays. */
export function plainArray(values: readonly (number | bigint | string | boolean | null)[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    text += values[i] === null ? 'NULL' : String(values[i]);
  }
  return `${text}}`;
}

/** `{"a","b",NULL}` for text arrays. */
export function textArray(values: readonly (string | null)[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    const value = values[i];
    text += value === null || value === undefined ? 'NULL' : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  }
  return `${text}}`;
}

/** `{"\\x01ff",NULL}` for bytea arrays. */
export function byteaArray(values: readonly (Buffer | null)[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    const value = values[i];
    text += value === null || value === undefined ? 'NULL' : `"\\\\x${value.toString('hex')}"`;
  }
  return `${text}}`;
}
