const pattern = /^PT(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,7}(?:\.\d{1,9})?)S)?$/;

/** A duration of ISO 8601 in hours, minutes and seconds, as ms; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}
