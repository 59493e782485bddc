import { findTeam, getUser, lockUser } from '@pulsewire/connections';
import type { LabOwners, LabTeam } from '@pulsewire/labs';
import type { Team } from '@pulsewire/connections';

export function labTeam({ teamId, isSandbox, partialResults, minorOrdering, humanReview, bookingBeforeRequisition }: Team): LabTeam {
  return { teamId, isSandbox, partialWebhooks: partialResults, minorOrdering, humanReview, bookingBeforeRequisition };
}

/** Users and teams for the labs package. */
export const labOwners: LabOwners = {
  findUser: getUser,
  lockUser,
  async findTeam(executor, teamId) {
    const team = await findTeam(executor, teamId);
    return team && labTeam(team);
  },
};
