import type { CampaignResult, Sightings } from './campaign.ts';

/** The result of a campaign as readable lines. */
export function describeCampaign(result: CampaignResult): readonly string[] {
  const { ordered, sink, deaths, kills } = result;
  const killed = Object.entries(kills).map(([name, count]) => `${name} ${count}`);
  return [
    `kills: ${killed.join(', ')}`,
    `ended by themselves: ${deaths.length > 0 ? '' : 'none'}`,
    ...deaths.map(({ name, end, agedMs, lastWords }) => `  ${name}, ${end} after ${agedMs} ms: ${shorten(lastWords)}`),
    `committed events: ${result.committed}`,
    ...describeSightings('receiver without order', result),
    ...describeSightings('receiver with per_user', ordered),
    `receiver with per_user: first deliveries after a later one of their user: ${ordered.disorder}; while an earlier one was not accepted: ${ordered.overtaken}`,
    ...(sink === null
      ? []
      : [
          `foreign receiver, by our record: ${sink.taken} different messages taken, ${sink.missing} not; it must have counted at least as many`,
        ]),
    `rows rebuilt from the deliveries that differ from the stored ones: ${result.differingRows} of ${result.rows}; with per_user ${ordered.differingRows}`,
    `connections in error although every account consents: ${result.brokenConnections}`,
    `drained ${result.isDrained ? 'in' : 'NOT within'} ${(result.drainMs / 1000).toFixed(1)} s`,
  ];
}

/** Without stacks: the message is sufficient, and the log line is long. */
function shorten(words: string): string {
  return words
    .replaceAll(/,?"stack":"(?:[^"\\]|\\.)*"/g, '')
    .trim()
    .slice(-1500);
}

function describeSightings(who: string, seen: Sightings): readonly string[] {
  const { lost, unknown, repeats, refusedOnce, badSignatures, changedBodies } = seen;
  return [
    `${who}: lost ${lost}; refused once ${refusedOnce}; repeated after a response that was never recorded ${repeats.unrecorded}, after a recorded one ${repeats.recordedTwice}`,
    `${who}: wrong signatures ${badSignatures}; repeats with another body ${changedBodies}; deliveries of nothing committed ${unknown}`,
  ];
}

/** Whether every guarantee held. */
export function isGood(result: CampaignResult): boolean {
  const { ordered, sink, isDrained, brokenConnections, deaths } = result;
  const counts = [result, ordered].flatMap(({ lost, unknown, differingRows, badSignatures, changedBodies, repeats }) => [
    lost,
    unknown,
    differingRows,
    badSignatures,
    changedBodies,
    repeats.recordedTwice,
  ]);
  const all = [...counts, ordered.disorder, ordered.overtaken, brokenConnections, deaths.length, sink?.missing ?? 0];
  return isDrained && all.every((count) => count === 0);
}
