/** Offset of a zone at an instant, in seconds east of UTC; null without a zone, or for one unknown to this runtime. */
export function zoneOffsetSeconds(timeZone: string | null, ms: number): number | null {
  if (timeZone === null) return null;
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(ms)
      .find((part) => part.type === 'timeZoneName')?.value;
    const [, sign, hours, minutes = '0', seconds = '0'] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name ?? '') ?? [];
    if (name === undefined) return null;
    if (hours === undefined) return 0;
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? -size : size;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
