/** Name of an operation from words and slugs: `read`, `heart_rate`, `grouped` yields `readHeartRateGrouped`. */
export function operationName(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .join('_')
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
