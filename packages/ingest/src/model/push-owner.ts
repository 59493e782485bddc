import type { Connection } from '@pulsewire/connections';

const platform = 'platform';

/** The owner of an application, as stored with the pushes that it signed: `platform` or the team's id. */
export function ownerOf({ teamId }: { readonly teamId: string | null }): string {
  return teamId ?? platform;
}

/** Whether a push signed by these owners applies to a connection: only with the application that the connection was created with. */
export function isSignedByAppOf(owners: readonly string[], connection: Pick<Connection, 'application' | 'teamId'>): boolean {
  return owners.includes(connection.application === 'platform' ? platform : connection.teamId);
}
