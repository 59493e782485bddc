/**
 * The rules of the suite: each states a requirement of a provider and where to look when it is not met, and is the message of
 * the assertions that check it.
 */
export const rules = {
  failedLink: say(
    'A link that fails reports the matching error type',
    'check `classify`, and what `oauth`, `password` or `email` makes of a refusal',
  ),
  historyDone: say(
    'Every window of the history ends done and without an error',
    'the window names its pull and error code: check how that pull calls the API, and `classify`',
  ),
  historyStored: say('The history holds records', 'check that the pulls yield records, and that the simulator has data for their days'),
  nothingQuarantined: say(
    'Nothing that the simulator sends is quarantined',
    'the row names reason and pointer: the mapper does not read that field, or the simulator sends what no document describes',
  ),
  rawKept: say(
    'Each activity, body, profile, sleep and workout keeps the part of the response that it was mapped from',
    'pass it as `raw` to the record maker, `sleepRecords` or `workoutRecord`',
  ),
  completedOnce: say(
    'Each resource reports its completed history exactly once',
    'two pulls that feed one resource must share its name in `resources`; do not emit events in a pull',
  ),
  matchesTruth: say(
    'Stored records match the simulated person: instants, local days, offsets, units',
    'check the zone, the unit and the day boundaries in the mapper of the resource named below',
  ),
  resourcesStored: say(
    'Each resource of the connector is stored, or listed in `absent` of the simulator',
    'map it, remove it from `resources`, or declare in the simulator that its people never have it',
  ),
  resourcesDeclared: say('Only resources of the connector are stored', 'add the resource to `resources` with its scopes'),
  readAgain: say(
    'Reading the history again changes nothing and emits nothing',
    'some record depends on the window or the time of reading: its timestamp, id, source type or value differs between two reads',
  ),
  faultsHappened: say(
    'The simulator applies the faults that it is told to',
    'its API routes need `auth: user`, or `hasFaults` when they are open',
  ),
  badDay: say(
    'With faults the same is stored as without',
    'a failed call must throw, so that the window is retried; never yield a page from part of a response',
  ),
  goodItemsStored: say(
    'A broken item is left out and the good ones are stored unchanged',
    'read lists with `readEach`, and do not let one item decide about another',
  ),
  brokenItemQuarantined: say(
    'A broken item is quarantined with a known reason',
    'read fields through `JsonNode`, which quarantines with a reason; do not skip items silently',
  ),
  newData: say(
    'New data creates events of type `daily.data.….created`',
    'check the notices of `push.parse`, `collections` and `rereadDays` of the pull, and `newDataMinutes` of the simulator',
  ),
  revisions: say(
    'Revised figures create events of type `daily.data.….updated`',
    'a revision needs the same id and timestamp as the first version; `rereadDays` must reach back to it; `revise()` must show in the response',
  ),
  removals: say(
    'What the provider takes back is removed',
    'return a removal from `push.parse`, or name the complete range of the response with `allOf`',
  ),
  pushAccepted: say('A genuine push is accepted', 'check `push.verify` and `push.acceptedStatus`, and `sign` of the simulator'),
  pushForged: say(
    'A forged push gets `rejectedStatus` and is not kept',
    '`push.verify` must compare the signature over the raw body; unsigned pushes rely on their address',
  ),
  pushRepeated: say('A repeated push changes nothing', 'a push with data needs the same record ids and timestamps each time'),
  pushStranger: say(
    'A push about an unknown user is accepted, counted and finished',
    '`push.parse` must return its notices whoever the user is; users are matched later',
  ),
  renewal: say(
    'Expired tokens are renewed and the connection stays connected',
    'check `oauth.refresh` or `password.renew`, and that 401 is classified as an expired token',
  ),
  disconnect: say(
    'Disconnecting a user revokes the access at the provider',
    'check `revokeUrl` and `oauth.revoke`, or declare `hasNoRevocationCall` in the simulator',
  ),
  withdrawal: say(
    'A withdrawn consent ends the connection with one event and no further calls',
    'check `classify` of 401 and 403, the refusal of a refresh, and the withdrawal notice of `push.parse`',
  ),
  deletions: say(
    'What the account no longer has is removed once its days are read again, unless part of them cannot be read',
    'check `allOf` and `partOf` of the pull, or explain in `deletions` why they cannot be seen',
  ),
  noSecrets: say(
    'No log line or vault object holds a token, password, secret or health value',
    'mark such ids `isSecret`, and put no bodies or URLs with tokens into errors and log fields',
  ),
} as const;

function say(rule: string, fix: string): string {
  return `Conformance rule: ${rule}. To fix it: ${fix}`;
}
