export { simulators } from './all.ts';
export { createSimulator } from './kit/create-simulator.ts';
export type * from './kit/types.ts';
export type { ApiAnswer, ApiCall, ApiRoute, OAuthSpec, PushSpec, SimulatorDefinition, SimulatorParts, UserCall } from './kit/definition.ts';
export type { Person } from './kit/person/person.ts';
export type { Change, PersonDay } from './kit/person/types.ts';
export { invalid, Refusal } from './kit/refusal.ts';
export { createSimulatorClock, type SimulatorClock, type SimulatorClockOptions } from './simulator-clock.ts';
export { createFitbitSimulator, type AccountHandle, type FitbitSimulator } from './fitbit/simulator.ts';
export { demoAccounts } from './fitbit/accounts/demo-accounts.ts';
export type { AccountSpec } from './fitbit/accounts/types.ts';
export { approveAuthorization, type Approval } from './fitbit/approve.ts';
export { faultKinds, type FaultControl, type FaultKind, type FaultRates } from './kit/faults.ts';
export type { PublishOutcome, Revision } from './fitbit/publish.ts';
export type { PublishRequest, Ticking, TickingOptions } from './fitbit/publisher.ts';
export type { FitbitStatistics } from './fitbit/statistics.ts';
export type { Verification } from './fitbit/subscriptions/verify-subscriber.ts';
export {
  scopes as fitbitScopes,
  type ApplicationSpec,
  type Endpoints,
  type FitbitSimulatorOptions,
  type NotificationTiming,
} from './fitbit/types.ts';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver/receiver.ts';
export type { AnswerBehaviour, ReceivedEvent, ReceiverStatistics } from './receiver/types.ts';
export { createSink, type Sink, type SinkOptions } from './receiver/sink.ts';
export { attackPaths, createAttackReceiver, type AttackReceiver, type AttackReceiverOptions } from './attacks/receiver.ts';
export { createNameServer, type NameAnswer, type NameServer } from './attacks/name-server.ts';
