/** A part of the HTTP interface: which operations belong to it, what works and what is missing. */
export interface Area {
  readonly title: string;
  /** Matches the paths of its operations. The first area that matches a path has it. */
  readonly paths: RegExp;
  /** Absent: the operations do what `/docs` says. */
  readonly notes?: string;
  readonly missing?: string;
}

/** Every part of the interface. A test compares them with the OpenAPI document: no operation is missing, and no area is empty. */
export const areas: readonly Area[] = [
  {
    title: 'Phones',
    paths: /^\/api\/v1\/|\/sign_in_token$/,
    notes:
      'As the open-source mobile SDKs of open-wearables call them. Batches are stored sealed as received and processed in order per user. `npm run admin -- import` stores an export of Apple Health or Health Connect.',
  },
  {
    title: 'Devices',
    paths: /^\/v2\/user\/\{user_id\}\/device/,
    notes:
      'Where records name their device, by an id or only by its model: two devices of one model are then one. `fitbit`, `google_health` and `oura` also list devices.',
    missing: 'providers that name no device',
  },
  {
    title: 'Providers and connections of a user',
    paths: /^\/v2\/user\/(?:providers|refresh)\/|^\/v2\/user\/\{user_id\}\/\{provider\}$|^\/v2\/providers$|^\/v2\/link\/providers$/,
    notes:
      'With the progress of the historical pull. `GET /v2/providers` also lists sources without a sign-in, and what a provider has and we cannot read, with the reason.',
  },
  {
    title: 'Measurements of your own app',
    paths: /^\/v2\/user\/\{user_id\}\/data\//,
    notes: 'Typed by resource, by hand or over Bluetooth. Lists every failing item.',
    missing: 'removal of single items',
  },
  {
    title: 'Users',
    paths: /^\/v2\/user|^\/v2\/team\/users/,
    notes:
      'Nothing about a deleted user is delivered or readable unless the deletion is undone. After seven days the user is erased, also from the log, from attempts and from Kafka.',
    missing: 'names of payors; `create_portal_url` responds with 501',
  },
  {
    title: 'Bulk operations',
    paths: /^\/v2\/link\/bulk/,
    notes: 'After `npm run admin -- teams set <team> bulk_operations=on`.',
  },
  {
    title: 'Linking',
    paths: /^\/v2\/link/,
    notes:
      'Every OAuth 2.0 variation that the providers use; the application of the team before ours. Providers with a password or an e-mail address are off until `PROVIDER_<SLUG>_ENABLED=on`. The hosted page at `/link` works with keyboard and screen reader, and without JavaScript.',
    missing: 'the hosted page in other languages than English',
  },
  {
    title: "Summaries in the provider's own form",
    paths: /^\/v2\/summary\/.*\/raw$/,
    notes:
      'After `npm run admin -- teams set <team> provider_raw_data=on`, from then on; `vault renormalise` adds the last 14 days. Sealed, and kept as long as their summary.',
    missing: 'data that phones or your own app send; raw data in events; forms above 1 MB',
  },
  {
    title: 'Summaries',
    paths: /^\/v2\/summary\//,
    notes:
      'Streamed, with `ETag`. `source=merged` is one view of all sources, which names the source of every value and the reason; `prefer` and `npm run admin -- teams set <team> source_order.<resource>=…` set the order.',
    missing: 'the bare profile in merged reads',
  },
  {
    title: 'Timeseries',
    paths: /^\/v2\/timeseries\//,
    notes: 'A typed path per series. `ETag`, compression; whole windows are streamed. `source=merged` as for summaries, in grouped reads.',
    missing: 'merged flat reads and streams',
  },
  {
    title: 'Introspection',
    paths: /^\/v2\/introspect\//,
    notes:
      'Last attempt, oldest and newest data, count of objects; status, range, gaps and error of each historical pull. Why a day of a user has data or none, with the way to each delivery, also as `npm run admin -- explain <user_id> <resource> <day>`.',
  },
  {
    title: 'Webhooks and events',
    paths: /^\/v2\/team\/(?:webhook|event|message)|^\/\.well-known\//,
    notes:
      'Signatures v1 and v1a with rotation; order per user, adaptive concurrency, circuit breaker; replays with a dry run. Endpoints that fail are announced, and disabled after five days. `GET /v2/team/events` polls instead of receiving.',
    missing: 'a page on which receivers of a team manage their own endpoints',
  },
  {
    title: 'Team: keys, audit log, deprecations',
    paths: /^\/v2\/team\//,
    notes:
      'Keys with scopes, expiry, allowed addresses, last use and rotation with an overlap; rate limits shared by all processes. The audit log is kept for 400 days. Deprecated operations say so in `Deprecation` and `Sunset` headers.',
  },
  {
    title: 'Lab appointments',
    paths: /^\/v3\/order\/(?:\{order_id\}\/)?(?:phlebotomy|psc)\/appointment/,
    notes: 'At home and at service centers, with partners that are simulated for sandbox teams.',
    missing: 'real labs and phlebotomists; Getlabs (`GETLABS_CLIENT_ID`) still has to be checked against its own documents',
  },
  {
    title: 'Lab results',
    paths: /\/result(?:\/|$)|_result(?:\/|$)/,
    notes:
      'Partial, critical and corrected results, simulated in the sandbox; PDFs of our own design. Results that match no order with certainty wait for a review.',
    missing: 'PDFs in non-Latin scripts; a team setting that disables the review',
  },
  {
    title: 'Lab orders',
    paths: /^\/v3\/order/,
    notes:
      'With idempotency keys. Orders of sandbox teams move when they are simulated; others go to labs and companies that send kits over [an HTTP interface](../../labs/src/partners/http/README.md). 33,791 ZIP areas; service centers are synthetic, and labelled so, until an operator imports real ones.',
    missing: 'a real lab: none has implemented the interface yet; a list sorted by patient name takes at most 5,000 orders',
  },
  {
    title: 'Lab tests',
    paths: /^\/v3\/lab_test/,
    notes: '14 labs with 337 analytes and panels, four lab tests per sandbox team.',
    missing: 'look-ups of compendium and payors',
  },
  {
    title: 'Lab reports',
    paths: /^\/lab_report\//,
    notes:
      'PDF, JPEG, PNG; scans are read without network, up to 30 pages. Reviews with `npm run admin -- reports` for teams with `human_review=on`.',
    missing:
      'handwriting, languages other than English; in layouts that it was not made with, 62 % of the rows of scans and 27 % of photographs are read exactly; most others are doubtful or missed, and 2 to 3 % are wrong without a doubt ([figures](../../../test/bench/README.md))',
  },
  { title: 'Pushes of providers and lab partners', paths: /^\/v2\/push\// },
];
