import { DateTime, Uuid } from '../fields/fields.ts';
import { SourceContext } from '../fields/source-context.ts';

/** First keys of every summary. */
export const ownership = { id: Uuid, user_id: Uuid };

/** Last keys of every summary. */
export const provenance = { source: SourceContext, created_at: DateTime, updated_at: DateTime };
