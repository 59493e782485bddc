import { describeLinkPage, linkByEmail, linkDemo, linkSource, linkWithPassword, type PageProvider } from '@pulsewire/connections';
import { showPage, type PageResponse } from '../http/page-response.ts';
import { errorMessage } from '../messages/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endResponse } from './end-response.ts';
import { openView } from './open-page.ts';
import { readFields } from './read-fields.ts';
import { submitAttempt } from './submit-attempt.ts';

/** POST of a provider's form: user name and password, an e-mail address, the name of a manual source, or a demo. */
export async function submitForm(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const { traceId } = request;
  const token = request.token ?? '';
  const slug = request.value('provider');
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endResponse(context, page, 'form');
  const provider = page.providers.find((one) => one.key === slug);
  if (!provider || provider.form === null) return showPage(openView(context, page, { token, slug, isAgain: true }));
  const { values, problems } = readFields(provider.form, request.value);
  const choice = { token, slug, isAgain: true, values, problems };
  const { name } = provider.connector;
  if (Object.keys(problems).length > 0) {
    const alert = { title: 'Something is missing', text: Object.values(problems).join(' ') };
    return showPage(openView(context, page, { ...choice, alert }));
  }
  return submitAttempt(context, page, {
    choice,
    work: () => linkAs(context, provider, { token, values, traceId }),
    message: ({ errorType }) => errorMessage(errorType, name),
  });
}

interface Filled {
  readonly token: string;
  readonly values: Readonly<Record<string, string>>;
  readonly traceId: string;
}

function linkAs({ links }: PageContext, { connector, kind }: PageProvider, { token, values, traceId }: Filled) {
  const { username = '', password = '', email = '' } = values;
  const reference = { token, teamId: null, provider: connector.slug, traceId };
  if (kind === 'demo') return linkDemo(links, reference);
  if (kind === 'manual') return linkSource(links, { ...reference, name: username });
  const region = values['region'] || null;
  if (connector.authType === 'email') return linkByEmail(links, { ...reference, region, email });
  return linkWithPassword(links, { ...reference, region, username, password });
}
