export { simulators } from './all.ts';
export { createSimulator } from './kit/create-simulator.ts';
export type * from './kit/types.ts';
export type {
  ApiResponse,
  ApiCall,
  ApiRoute,
  OAuthSpec,
  PushSpec,
  SimulatorDefinition,
  SimulatorParts,
  UserCall,
} from './kit/definition/definition.ts';
export type { Person } from './kit/person/person.ts';
export type { Change, PersonDay } from './kit/person/types.ts';
export { invalid, RefusalError } from './kit/parts/refusal.ts';
export { createFitbitSimulator, type FitbitSimulator } from './fitbit/simulator.ts';
export { demoAccounts } from './fitbit/accounts/demo-accounts.ts';
export { approveAuthorization, type Approval } from './kit/oauth/approve-authorization.ts';
export { faultKinds, type FaultControl, type FaultKind, type FaultRates } from './kit/parts/faults.ts';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver/receiver.ts';
export type { ResponseBehaviour, ReceivedEvent, ReceiverStatistics } from './receiver/types.ts';
export { createSink, type Sink, type SinkOptions } from './receiver/sink.ts';
export { attackPaths, createAttackReceiver, type AttackReceiver, type AttackReceiverOptions } from './attacks/receiver.ts';
export { createGetlabsSimulator } from './getlabs/create-getlabs-simulator.ts';
export type { GetlabsFault, GetlabsSimulator } from './getlabs/types.ts';
export { createLabCompany } from './lab_company/create-lab-company.ts';
export type { LabCompany, LabCompanyFault, SignedWebhook } from './lab_company/types.ts';
export { createNameServer, type NameResponse, type NameServer } from './attacks/name-server.ts';
