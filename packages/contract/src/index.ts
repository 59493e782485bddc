export type {
  CanonicalRecord,
  CompleteRange,
  OffsetOrigin,
  Quarantined,
  RawItem,
  Sample,
  SampleGroup,
  SampleRemoval,
  SeenDevice,
  SourceRef,
  StreamChannel,
  Summary,
  SummaryRemoval,
  WorkoutStream,
} from './records/records.ts';
export type {
  ExtraField,
  FamilyResource,
  Resource,
  ResourceEvents,
  StreamResource,
  SubKinds,
  SummaryResource,
  TimeseriesResource,
} from './resources/types.ts';
export {
  dailyEventType,
  findResource,
  historicalEventType,
  resources,
  summaryResource,
  timeseriesResource,
} from './resources/resources.ts';
export { lifecycleEvents, type LifecycleEvent } from './events/lifecycle-events.ts';
export { allEventTypes, findLifecycleEvent, isEventType, isOperationalEvent } from './events/event-types.ts';
export { renderDate, renderDateTime } from './render/date-time.ts';
export { zoneOffsetSeconds } from './render/zone-offset.ts';
export { renderSource } from './render/source.ts';
export { renderSample, type WireSample } from './render/sample.ts';
export { createPartsWriter, createSampleWriter, renderSampleJson } from './render/sample-json.ts';
export { sampleJsonBytesMax } from './render/sample-bytes.ts';
export { missingSummaryFields, renderSummary, type SummaryRendering, type WireSummary } from './render/summary.ts';
export { expandSamples, packSamples, unpackSamples, type PackedHeader } from './packed/packed-samples.ts';
export { openStream, packStream, unpackStream, type PackedColumn } from './packed/packed-stream.ts';
export { WebhookHeaders } from './events/envelope.ts';
export { buildEnvelopeJson, Envelope, TeamEnvelope, type EnvelopeParts } from './events/envelope.ts';
export { ProviderRef, SourceContext, sourceTypes } from './fields/source-context.ts';
export { flatBody, groupedBody, namedSampleSchema, SleepParams, SleepStreamBody, sleepStreamSeries } from './http/series.ts';
export { stageSamples } from './render/stage-samples.ts';
export { WorkoutStreamBody } from './series/workout-stream.ts';
export { sampleSchema } from './series/samples.ts';
export { sleepStages } from './summaries/sleep-cycle.ts';
export { sleepTypes } from './summaries/sleep.ts';
export { isRawResource, RawDevice, RawProfile, rawEntrySchemas, type RawResource } from './summaries/raw-entries.ts';
export { Sport } from './summaries/sport.ts';
export { Activity } from './summaries/activity.ts';
export { Body } from './summaries/body.ts';
export { Electrocardiogram } from './summaries/electrocardiogram.ts';
export { Meal } from './summaries/meal.ts';
export { MenstrualCycle } from './summaries/menstrual-cycle.ts';
export { Profile } from './summaries/profile.ts';
export { Sleep } from './summaries/sleep.ts';
export { SleepCycle } from './summaries/sleep-cycle.ts';
export { Workout } from './summaries/workouts.ts';
export { BirthDate, closedEnum, DateOnly, DateTime, nullable, openEnum, optional, servedProvider, Uuid } from './fields/fields.ts';
export { demoProviders, emailProviders, passwordProviders } from './fields/provider-slugs.ts';
export { ResourceAvailability, ResourceAvailabilityMap, ScopeRequirements } from './fields/resource-availability.ts';
export { connectionErrorTypes, type ConnectionErrorType } from './fields/connection-errors.ts';
export { eventFamilies, findEventSchema, type EventFamily } from './events/events.ts';
export { batchBytesMax, batchSamplesMax, HistoricalPullCompleted, WorkoutStreamStored } from './events/data-events.ts';
export { ConnectionCreated, ConnectionFailed, Device } from './events/connection-events.ts';
export {
  ConnectionRemoved,
  removedMax,
  SamplesRemoved,
  SummariesRemoved,
  UserDeleted,
  UserErased,
  UserUndeleted,
} from './events/pipeline-events.ts';
export { isInAllTypes, isPipelineEvent, pipelineEventFamilies, type PipelineEventFamily } from './events/pipeline-event-families.ts';
export { AttemptsExhausted, EndpointDisabled, EndpointEnabled, EndpointFailing } from './events/delivery-events.ts';
export { activeDeprecations, applyDeprecations, deprecations } from './deprecations/deprecations.ts';
export { withRemovedSourceFields } from './deprecations/source-name-logo-slug.ts';
export type { Deprecation, EventTransform, OutgoingEvent, ProviderFacts, TransformContext } from './deprecations/types.ts';
export {
  CodedErrorBody,
  DetailBody,
  SuccessBody,
  ValidationError,
  ValidationErrorBody,
  validationErrorTypes,
  type ValidationErrorType,
} from './http/errors.ts';
export {
  ClientUserParams,
  linkProviderParams,
  oauthProviderParams,
  UserParams,
  UserProviderParams,
  WebhookParams,
  WorkoutParams,
} from './http/params.ts';
export {
  ConnectedSource,
  CreateUserBody,
  PaginatedUsersBody,
  RefreshBody,
  RefreshErrorBody,
  RefreshQuery,
  UndoDeleteQuery,
  UpdateUserBody,
  UserBody,
  UserConflictBody,
  UserListQuery,
  UserMetricsBody,
  UserSearchBody,
  UserSearchQuery,
} from './http/users.ts';
export {
  IntakeBody,
  intakeItemsMax,
  IntakeResult,
  leftOutReasons,
  summariesWithoutId,
  type Intake,
  type IntakeItem,
  type LeftOutReason,
} from './http/intake.ts';
export { CatalogueBody, CatalogueProvider, CatalogueQuery, SourceAuthType, UserProvider, UserProvidersBody } from './http/providers.ts';
export {
  DemoLinkBody,
  DemoLinkedBody,
  linkErrorTypes,
  LinkProvidersBody,
  LinkRedirectQuery,
  LinkStateBody,
  LinkTokenBody,
  linkTokenBodyFor,
  LinkTokenCreatedBody,
  LinkTokenHeader,
  ManualLinkBody,
  OAuthCallbackQuery,
  OAuthLinkBody,
  type LinkErrorType,
} from './http/linking.ts';
export { EmailLinkBody, EmailLinkResultBody, LinkResultBody, MfaCodeBody, PasswordLinkBody } from './http/link-logins.ts';
export {
  BulkDone,
  bulkExportBodyFor,
  BulkExportPage,
  bulkImportBodyFor,
  BulkImportResult,
  BulkItemsBody,
  BulkItemsQuery,
  BulkOperationParams,
  BulkOperationsBody,
  BulkOperationsQuery,
  bulkPauseBodyFor,
  bulkTriggerBodyFor,
  ConnectionRecipe,
  neverExpires,
} from './http/bulk.ts';
export {
  GroupedQuery,
  summaryBody,
  SummaryDaysQuery,
  SummaryProviderQuery,
  SummaryQuery,
  summaryQuery,
  TimeseriesQuery,
} from './http/reads.ts';
export {
  CreateWebhookBody,
  orderings,
  RotateWebhookSecretBody,
  signatureKinds,
  UpdatedWebhookBody,
  UpdateWebhookBody,
  UpdateWebhookHeadersBody,
  WebhookBody,
  WebhookHeadersBody,
  WebhookListBody,
  WebhookListQuery,
  WebhookRecovery,
  WebhookSecretBody,
} from './http/webhooks/webhooks.ts';
export { JwkSetBody } from './http/webhooks/webhooks.ts';
export { AttemptBody, AttemptListBody, AttemptListQuery, StatisticsBody, StatisticsQuery } from './http/webhooks/webhook-attempts.ts';
export {
  DeliveryBody,
  EventListBody,
  EventListQuery,
  EventTypeBody,
  EventTypeListBody,
  MessageBody,
  MessageDetailBody,
  MessageListBody,
  MessageListQuery,
  MessageSentBody,
} from './http/webhooks/webhook-messages.ts';
export {
  CreateReplayBody,
  RecoverBody,
  RecoveredBody,
  ReplayBody,
  ReplayCountBody,
  ReplayListBody,
  ReplayListQuery,
} from './http/webhooks/webhook-replays.ts';
export { eventCatalogue, exampleDataJson, exampleUser } from './catalogue/event-catalogue.ts';
export * from './labs/index.ts';
export { DeviceParams, DevicesBody } from './http/reads.ts';
export { bucketAggregates, bucketFields, BucketsBody, bucketSizes } from './http/buckets.ts';
export { ExplainBody, ExplainQuery, verdicts, type Verdict } from './http/explain.ts';
export { HistoricalPullsBody, IntrospectionQuery, ResourceStatisticsBody } from './http/introspection.ts';
export { findEventProblem } from './catalogue/check-event.ts';
export { bodySchema } from './catalogue/schema-files.ts';
export { exampleBody, schemaExamples, titleOf } from './catalogue/schema-examples.ts';
