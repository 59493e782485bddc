import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { assertNamed } from './account-tokens.ts';
import { contentsOf, foodsOf, type Eaten } from './foods.ts';

const pageMax = 100;
/** Fields that the production graph does not have. */
const unknownFields = ['eatingOccasion', 'eatingOccasionSlot', 'grams', 'note', 'carbs'];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value);
}

/** Errors of a query come with status 200. */
const failed = (message: string): ApiResponse => ({ body: { errors: [{ message }], data: null } });

function assertDevice({ headers }: UserCall): void {
  const given = Buffer.from(String(headers['client-metadata'] ?? ''), 'base64').toString('utf8');
  if (!/"device-id":"[^"]+".*"app-version":"[^"]+"/.test(given.replaceAll(/\s/g, ''))) throw invalid('client-metadata is required');
}

function nutrients(call: UserCall, eaten: Eaten): object {
  const contents = contentsOf(call.account.person, eaten);
  return {
    calories: eaten.kcal,
    protein: contents['protein'] ?? null,
    totalCarbohydrates: contents['carbohydrates'] ?? null,
    fat: contents['fat'] ?? null,
    fiber: contents['fiber'] ?? null,
    sugar: contents['sugar'] ?? null,
    sugarAlcohols: null,
    saturatedFat: contents['saturated_fat'] ?? null,
    sodium: contents['sodium'] ?? null,
  };
}

function edgeOf(call: UserCall, eaten: Eaten): object {
  const { id, date, description, brand, servings, eatenMs, modifiedMs } = eaten;
  return {
    node: {
      __typename: 'ActiveFoodDiaryEntry',
      id,
      createdAt: new Date(eatenMs).toISOString(),
      date,
      consumedAt: null,
      loggedAt: null,
      quantity: servings,
      servingSize: { amount: 100, nutritionMultiplier: 1, isFraction: false, unit: 'g' },
      consumedNutrientSet: nutrients(call, eaten),
      food: { __typename: 'IndividualFood', id: `1${id}`, description, brand, isVerified: false },
    },
    syncEdgeInfo: { operation: 'UPSERT', lastModifiedAt: new Date(modifiedMs).toISOString() },
  };
}

/** Every entry in the order of its last change, the newest last. Deleted ones are only absent. */
function sync(call: UserCall): ApiResponse {
  assertNamed(call);
  assertDevice(call);
  const { person } = call.account;
  const given = fieldAt(call.json, 'query');
  const query = typeof given === 'string' ? given : '';
  if (fieldAt(call.json, 'operationName') !== 'SyncFoodDiaryEntries' || !query.includes('foodDiaryEntries'))
    return failed('Unknown operation');
  const unknown = unknownFields.find((name) => new RegExp(`\\b${name}\\b`).test(query));
  if (unknown !== undefined) return failed(`Cannot query field "${unknown}" on type "ActiveFoodDiaryEntry".`);
  const paging = fieldAt(call.json, 'variables', 'input', 'syncResources', 'foodDiaryEntrySyncResource', 'paginationInput');
  const last = Math.min(pageMax, Number(fieldAt(paging, 'last') ?? pageMax));
  const before = fieldAt(paging, 'before');
  const all = person
    .days(person.firstDate, person.today())
    .flatMap((day) => foodsOf(person, day))
    .toSorted((a, b) => a.modifiedMs - b.modifiedMs || a.id.localeCompare(b.id));
  const end = typeof before === 'string' ? all.findIndex(({ id }) => id === before) : all.length;
  if (end < 0) return failed('Invalid cursor');
  const page = all.slice(Math.max(0, end - last), end);
  const pageInfo = {
    hasPreviousPage: end > last,
    hasNextPage: end < all.length,
    startCursor: page[0]?.id ?? null,
    endCursor: page.at(-1)?.id ?? null,
  };
  const syncConnectionInfo = { startSyncCursor: page[0]?.id ?? null, endSyncCursor: page.at(-1)?.id ?? null, totalEdges: all.length };
  const edges = page.map((eaten) => edgeOf(call, eaten));
  return { body: { data: { batchSync: { foodDiaryEntries: { edges, pageInfo, syncConnectionInfo } } } } };
}

export const syncRoute: ApiRoute = { kind: 'sync', method: 'POST', path: '/v2/query-envoy/graphql', auth: 'user', respond: sync };
