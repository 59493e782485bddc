import type { DayHistory } from '@pulsewire/explain';

/** The stored versions of the day, and when the winning response was received. */
export function describeStored({ stored, responses }: DayHistory): readonly string[] {
  const received = new Map(responses.flatMap(({ responses: list }) => (list ?? []).map((one) => [one.version, one.receivedAt] as const)));
  const version = (number: bigint) => {
    const at = received.get(number);
    return `version ${number}${at === undefined ? '' : ` (received ${at})`}`;
  };
  const summaries = stored.summaries.map(
    (one) =>
      `${one.provider} ${one.sourceType}  summary ${one.id}  ${version(one.version)}  stored ${one.createdAt.toISOString()}, last changed ${one.updatedAt.toISOString()}`,
  );
  const samples = stored.samples.map((one) => {
    const versions =
      one.oldestVersion === one.newestVersion
        ? version(one.newestVersion)
        : `${version(one.oldestVersion)} to ${version(one.newestVersion)}`;
    const kind = one.subKind === '' ? '' : ` ${one.subKind}`;
    return `${one.provider} ${one.sourceType}${kind}  ${one.count} samples from ${one.first.toISOString()} to ${one.last.toISOString()}  ${versions}`;
  });
  const removals = stored.removals.map(
    (one) =>
      `${one.provider} ${one.sourceType}  removed by the provider with ${version(one.version)}, from ${one.from.toISOString()} to ${one.to.toISOString()}`,
  );
  return [...summaries, ...samples, ...removals];
}
