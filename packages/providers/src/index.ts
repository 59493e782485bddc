export type * from './kit/types/connector.ts';
export { createFitbit } from './fitbit/connector.ts';
export { addDays, countDays, dayToMs, eachDay, splitWindow } from './kit/time/days.ts';
export { historyDaysMax, historyDepth } from './kit/history-depth.ts';
export { hasAddress, withEndpoints } from './kit/http/endpoints.ts';
export { sportOf } from './kit/values/sports.ts';
export { summaryId, type SummaryIdParts } from './kit/values/ids.ts';
export { buildAuthorizeUrl, type AuthorizeRequest } from './kit/oauth/authorize-url.ts';
export { exchangeCode, type CodeExchange } from './kit/oauth/exchange-code.ts';
export { codeChallengeOf, createCodeVerifier } from './kit/oauth/pkce.ts';
export { refreshTokens, type TokenRefresh } from './kit/oauth/refresh-tokens.ts';
export { revokeToken, type TokenRevocation } from './kit/oauth/revoke-token.ts';
export { createLoginHttp, type LoginHttpOptions } from './kit/http/login-http.ts';
export { isConfigurationError } from './kit/oauth/configuration-error.ts';
export { settledUntil } from './kit/records/complete-ranges.ts';
export { watchForCuts } from './kit/http/watch-cuts.ts';
export { providerError } from './kit/http/provider-error.ts';
export { createProviderHttp, createProviderSend, providerHttp, type ProviderHttpOptions } from './kit/http/provider-http.ts';
export { pushItemsMax } from './kit/push/push-limits.ts';
export { headerOf, isSameText } from './kit/push/signatures.ts';
export { withoutConnector } from './without-connector.ts';
export { catalogue, connectors, endingText, findConnector, findIdentity, providerRef, type CatalogueProvider } from './registry.ts';
export { resourceAvailability, scopesOf, type ResourceAvailability, type ScopeSet } from './kit/resource-availability.ts';
export { createZoneFinder, zoneOrigin } from './kit/time/zone-history.ts';
export { openUnknownZone, openZone, type LocalInstant, type Zone } from './kit/time/zone.ts';
export { amountSeries, mainPart, partsOf, sumParts, type AmountParts } from './phone_sdk/summaries/amounts.ts';
export { healthKitApp, nameKeyOf, withoutDevice } from './phone_sdk/source.ts';
export { mapPhoneBatch, phoneProviderOf, readPhoneBatch } from './phone_sdk/batch/map-batch.ts';
export {
  activityId,
  activityRates,
  activityRecords,
  activitySeries,
  withPartners,
  type SourceDay,
} from './phone_sdk/summaries/activity-records.ts';
export { bodyRecords, bodySeries } from './phone_sdk/summaries/body-records.ts';
export { bindParts, workoutSeries, type WorkoutReading } from './phone_sdk/workouts/bind-parts.ts';
export { mealId, mealRecords } from './phone_sdk/summaries/meal-records.ts';
export { dayNumberAt } from './phone_sdk/read-item.ts';
export { dayKinds } from './phone_sdk/readings.ts';
export { cycleRecords } from './phone_sdk/summaries/cycle-records.ts';
export { nightGapMs, nightRecords, splitNights } from './phone_sdk/summaries/sleep-nights.ts';
export type {
  BuiltRecord,
  DeletedSample,
  FrequentItem,
  MappedBatch,
  PhoneBatch,
  PhoneCycleItem,
  PhoneDayZone,
  PhoneItemRef,
  PhoneProvider,
  PhoneReading,
  PhoneUser,
  PhoneWorkoutPart,
  PhoneWriter,
  PressureHalf,
  SleepSegment,
} from './phone_sdk/types.ts';
