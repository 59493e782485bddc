import { demoProviders } from '@pulsewire/contract';
import { run } from '@pulsewire/database';
import { findIdentity, type Connector, type FormField } from '@pulsewire/providers';
import { and, eq } from 'drizzle-orm';
import type { LinkContext } from '../../context/context.ts';
import { linkableProviders } from '../session/linkable-providers.ts';
import type { LinkSession } from '../session/session.ts';
import { manualProviders } from '../../model/manual-providers.ts';
import { connections } from '../../model/tables.ts';
import { findTeam } from '../../teams/team.ts';

/** An entry of the hosted page. */
export interface PageProvider {
  /** Identifies the entry: the slug, or `demo-<slug>` for generated data. */
  readonly key: string;
  readonly connector: Pick<Connector, 'slug' | 'name' | 'description' | 'authType'> & { readonly resources: readonly string[] };
  /** Fields that the user fills in; null when the browser is redirected to the provider. */
  readonly form: readonly FormField[] | null;
  readonly kind: 'account' | 'demo' | 'manual';
}

const nameField: FormField = {
  name: 'username',
  label: 'Name of the device or account',
  kind: 'text',
  isRequired: true,
  hint: 'Any name that you will recognise.',
};

const allows = ({ provider, filterOnProviders }: LinkSession, slug: string) =>
  provider === null ? (filterOnProviders?.includes(slug) ?? true) : provider === slug;

/** Generated data, for users of a sandbox team without a connection. */
async function demosOf({ database, connectorFor }: LinkContext, session: LinkSession): Promise<readonly PageProvider[]> {
  const team = await findTeam(database, session.teamId);
  if (!team?.isSandbox) return [];
  const { connectionId } = connections;
  const isOfUser = and(eq(connections.teamId, session.teamId), eq(connections.userId, session.userId));
  const [linked] = await run(database.orm.select({ connectionId }).from(connections).where(isOfUser).limit(1));
  if (linked) return [];
  return demoProviders
    .filter((slug) => allows(session, slug))
    .flatMap((slug) => findIdentity(slug, connectorFor) ?? [])
    .map(({ slug, name, authType }) => ({
      key: `demo-${slug}`,
      connector: { slug, name: `${name} demo`, description: 'Generated data for testing', authType, resources: [] },
      form: [],
      kind: 'demo',
    }));
}

/** Sources whose data comes from a phone or from the team: offered only where the link names them, since a browser delivers no data. */
function manualsOf(session: LinkSession): readonly PageProvider[] {
  if (session.provider === null && session.filterOnProviders === null) return [];
  return manualProviders
    .filter(({ slug }) => allows(session, slug))
    .map(({ slug, name }) => ({
      key: slug,
      connector: { slug, name, description: 'Data comes from an app or a device', authType: 'sdk', resources: [] },
      form: [nameField],
      kind: 'manual',
    }));
}

/** What the page offers in this session: providers by name, then manual sources, then generated data. */
export async function pageProviders(context: LinkContext, session: LinkSession): Promise<readonly PageProvider[]> {
  const linkable = await linkableProviders(context, session);
  const accounts = linkable.map(({ connector, form }): PageProvider => ({
    key: connector.slug,
    connector: { ...connector, resources: Object.keys(connector.resources) },
    form,
    kind: 'account',
  }));
  const offered = [...accounts, ...manualsOf(session)];
  // A token that is limited to one provider shows no alternatives.
  const isLimited = session.provider !== null && offered.length > 0;
  return isLimited ? offered : [...offered, ...(await demosOf(context, session))];
}
