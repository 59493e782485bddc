import { demoProviders } from '@pulsewire/contract';
import { findIdentity, type Connector, type FormField } from '@pulsewire/providers';
import type { LinkContext } from '../../context/context.ts';
import { manualProviders } from '../../model/manual-providers.ts';
import { findTeam } from '../../teams/team.ts';
import { linkableProviders } from '../session/linkable-providers.ts';
import type { LinkSession } from '../session/session.ts';

/** Something that the hosted page offers. */
export interface PageProvider {
  /** Chosen by it: the slug, `demo-<slug>` for made-up data. */
  readonly key: string;
  readonly connector: Pick<Connector, 'slug' | 'name' | 'description' | 'authType'> & { readonly resources: readonly string[] };
  /** Fields to ask the person for; null where the browser goes to the provider instead. */
  readonly form: readonly FormField[] | null;
  readonly manner: 'account' | 'demo' | 'manual';
}

const nameField: FormField = {
  name: 'username',
  label: 'Name of the device or account',
  kind: 'text',
  isRequired: true,
  hint: 'Any name by which you know it again.',
};

const allows = ({ provider, filterOnProviders }: LinkSession, slug: string) =>
  provider === null ? (filterOnProviders?.includes(slug) ?? true) : provider === slug;

/** Made-up data, for users of a sandbox team who have no real connection yet. */
async function demosOf({ database, connectorFor }: LinkContext, session: LinkSession): Promise<readonly PageProvider[]> {
  const team = await findTeam(database, session.teamId);
  if (!team?.isSandbox) return [];
  const [linked] = await database.sql`SELECT 1 FROM connections WHERE team_id = ${session.teamId} AND user_id = ${session.userId} LIMIT 1`;
  if (linked) return [];
  return demoProviders
    .filter((slug) => allows(session, slug))
    .flatMap((slug) => findIdentity(slug, connectorFor) ?? [])
    .map(({ slug, name, authType }) => ({
      key: `demo-${slug}`,
      connector: { slug, name: `${name} demo`, description: 'Made-up data, to try things out', authType, resources: [] },
      form: [],
      manner: 'demo',
    }));
}

/** Sources that a phone or the team feeds: offered only where the link names them, for a browser brings them no data. */
function manualsOf(session: LinkSession): readonly PageProvider[] {
  if (session.provider === null && session.filterOnProviders === null) return [];
  return manualProviders
    .filter(({ slug }) => allows(session, slug))
    .map(({ slug, name }) => ({
      key: slug,
      connector: { slug, name, description: 'Its data come from an app or a device', authType: 'sdk', resources: [] },
      form: [nameField],
      manner: 'manual',
    }));
}

/** What the page may offer in this session: the providers by name, then sources without a sign-in, then made-up data. */
export async function pageProviders(context: LinkContext, session: LinkSession): Promise<readonly PageProvider[]> {
  const linkable = await linkableProviders(context, session);
  const accounts = linkable.map(({ connector, form }): PageProvider => ({
    key: connector.slug,
    connector: { ...connector, resources: Object.keys(connector.resources) },
    form,
    manner: 'account',
  }));
  const offered = [...accounts, ...manualsOf(session)];
  // Who was sent to connect one provider is not asked what else it could be.
  const isSettled = session.provider !== null && offered.length > 0;
  return isSettled ? offered : [...offered, ...(await demosOf(context, session))];
}
