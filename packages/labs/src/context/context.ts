import type { Clock } from '@pulsewire/kernel';
import type { Cipher, Database, Executor, Tx } from '@pulsewire/database';
import type { PartnerDirectory } from '../partners/directory.ts';

/** A team's settings for labs. */
export interface LabTeam {
  readonly teamId: string;
  readonly isSandbox: boolean;
  /** Whether `partial_results` emits an event. */
  readonly partialResults: boolean;
  /** Whether patients may be minors with a medical proxy. */
  readonly minorOrdering: boolean;
  /** Whether reports may request human review. */
  readonly humanReview: boolean;
  /** Whether appointments may be booked before the requisition exists. */
  readonly bookingBeforeRequisition: boolean;
}

export interface LabUser {
  readonly userId: string;
  readonly clientUserId: string;
}

/** Access to users and teams, which belong to another package. Both user functions throw AppErrors `user_not_found` and `user_deleted`. */
export interface LabOwners {
  findUser(executor: Executor, teamId: string, userId: string): Promise<LabUser>;
  /** Locks the row, so that the user cannot be deleted before the transaction ends. */
  lockUser(tx: Tx, teamId: string, userId: string): Promise<LabUser>;
  findTeam(executor: Executor, teamId: string): Promise<LabTeam | null>;
}

/** Dependencies of every operation of this package. */
export interface LabsContext {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly clock: Clock;
  readonly owners: LabOwners;
  readonly partners: PartnerDirectory;
}
