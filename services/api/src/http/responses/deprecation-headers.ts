import { deprecations } from '@pulsewire/contract';

const unixSeconds = (day: string) => Date.parse(day) / 1000;

/** Headers of a deprecated operation (RFC 9745), with the day of its removal (RFC 8594). */
export function deprecationHeaders(id: string): Readonly<Record<string, string>> {
  const found = deprecations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`No deprecation has the id ${id}`);
  const { announcedOn, removedOn } = found;
  const since = announcedOn ?? removedOn;
  return {
    ...(since !== null && { deprecation: `@${unixSeconds(since)}` }),
    ...(removedOn !== null && { sunset: new Date(removedOn).toUTCString() }),
    link: '</v2/team/deprecations>; rel="deprecation"; type="application/json"',
  };
}
