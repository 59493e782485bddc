import type { LabsContext, LabTeam } from '../../context/context.ts';
import type { CancellationReason, SchedulingPartner } from '../../partners/partner.ts';

/** The reasons of every partner of this kind that serves the team. */
export function listCancellationReasons(
  { partners }: LabsContext,
  team: LabTeam,
  kind: SchedulingPartner['kind'],
): readonly CancellationReason[] {
  const serves = partners.partners.filter((partner) => partner.kind === kind && partner.isSimulated === team.isSandbox);
  return serves.flatMap((partner) => ('cancellationReasons' in partner ? partner.cancellationReasons : []));
}
