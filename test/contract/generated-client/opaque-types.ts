import ts from 'typescript';

/** Where `unknown` or `any` appears in types, at any depth. A type that several paths lead to is listed under the first. */
export function createOpaqueSearch(checker: ts.TypeChecker): (type: ts.Type, path: string) => readonly string[] {
  const seen = new Set<ts.Type>();

  function search(type: ts.Type, path: string): string[] {
    if ((type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return [path];
    if (seen.has(type)) return [];
    seen.add(type);
    if (type.isUnionOrIntersection()) return type.types.flatMap((part) => search(part, path));
    if ((type.flags & ts.TypeFlags.Object) === 0) return [];
    if (checker.isArrayType(type) || checker.isTupleType(type))
      return checker.getTypeArguments(type as ts.TypeReference).flatMap((item) => search(item, `${path}[]`));
    const keyed = checker.getIndexInfosOfType(type).flatMap((info) => search(info.type, `${path}.*`));
    const properties = checker.getPropertiesOfType(type);
    return [...keyed, ...properties.flatMap((property) => search(checker.getTypeOfSymbol(property), `${path}.${property.name}`))];
  }

  return search;
}
