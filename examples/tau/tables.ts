/** The row of that key, and never what every object inherits. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** What both services know of their customers. */
type Customers = {
  readonly users: Readonly<
    Record<string, { readonly user_id: string; readonly payment_methods: Readonly<Record<string, unknown>> }>
  >;
};

const owners = new WeakMap<Customers, ReadonlyMap<string, string>>();

/** Whose each payment method of the data is, by its id. Read once for each set of data. */
export function paymentOwners(db: Customers): ReadonlyMap<string, string> {
  const known = owners.get(db);
  if (known !== undefined) return known;
  const index = new Map<string, string>();
  for (const user of Object.values(db.users)) {
    for (const id of Object.keys(user.payment_methods)) index.set(id, user.user_id);
  }
  owners.set(db, index);
  return index;
}
