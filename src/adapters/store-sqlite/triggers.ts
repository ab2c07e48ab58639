/** Triggers in the few forms that the schema has. */

export function trigger(
  name: string,
  verb: string,
  table: string,
  when: string,
  { says }: { readonly says: string },
): string {
  return `CREATE TRIGGER ${name} BEFORE ${verb} ON ${table} WHEN ${when}
BEGIN SELECT RAISE(ABORT, '${says}'); END`;
}

export function never(table: string, verb: "UPDATE" | "DELETE"): string {
  return trigger(`${table}_no_${verb.toLowerCase()}`, verb, table, "TRUE", {
    says: `${table}: nothing is ever ${verb === "UPDATE" ? "changed" : "deleted"} here`,
  });
}

/** A trigger that lets through only what holds. NULL does not hold. */
export function only(verb: "INSERT" | "UPDATE", table: string, holds: string): string {
  return trigger(`${table}_${verb.toLowerCase()}_needs_row`, verb, table, `(${holds}) IS NOT TRUE`, {
    says: `${table}: no change without its ledger row in the same transaction`,
  });
}
