import { z } from "signalbox";

const Transaction = z.strictObject({
  id: z.int(),
  sender: z.string(),
  recipient: z.string(),
  amount: z.number(),
  subject: z.string(),
  date: z.string(),
  recurring: z.boolean(),
});
export type Transaction = z.infer<typeof Transaction>;

export const BankState = z.strictObject({
  bank_account: z.strictObject({
    iban: z.string(),
    balance: z.number(),
    transactions: z.array(Transaction),
    scheduled_transactions: z.array(Transaction),
  }),
  filesystem: z.strictObject({ files: z.record(z.string(), z.string()) }),
  user_account: z.strictObject({
    first_name: z.string(),
    last_name: z.string(),
    street: z.string(),
    city: z.string(),
    password: z.string(),
  }),
});
export type BankState = z.infer<typeof BankState>;

export type Payment = Omit<Transaction, "id" | "sender">;

/** One customer's account at a bank, in memory. It does what it is told: whether it may is not its business. */
export class Bank {
  readonly #state: BankState;
  #lastId: number;

  constructor(state: BankState) {
    this.#state = structuredClone(state);
    const { transactions, scheduled_transactions } = state.bank_account;
    this.#lastId = Math.max(0, ...[...transactions, ...scheduled_transactions].map(({ id }) => id));
  }

  get iban(): string {
    return this.#state.bank_account.iban;
  }

  /** In the bank's books the customer is "me", or the account. */
  isOwn(party: string): boolean {
    return party === "me" || party === this.iban;
  }

  get balance(): number {
    return this.#state.bank_account.balance;
  }

  get transactions(): readonly Transaction[] {
    return this.#state.bank_account.transactions;
  }

  get scheduled(): readonly Transaction[] {
    return this.#state.bank_account.scheduled_transactions;
  }

  file(path: string): string | null {
    const { files } = this.#state.filesystem;
    return Object.hasOwn(files, path) ? (files[path] ?? null) : null;
  }

  user(): Omit<BankState["user_account"], "password"> {
    const { password: _, ...shown } = this.#state.user_account;
    return shown;
  }

  /** Everything that the bank knows of its customer, the password too: for the books, and for no tool. */
  account(): BankState["user_account"] {
    return this.#state.user_account;
  }

  pay(payment: Payment): void {
    this.#state.bank_account.transactions.push(this.#outgoing(payment));
    this.#state.bank_account.balance -= payment.amount;
  }

  schedule(payment: Payment): void {
    this.#state.bank_account.scheduled_transactions.push(this.#outgoing(payment));
  }

  reschedule(id: number, changes: Partial<Payment>): void {
    const { scheduled_transactions } = this.#state.bank_account;
    const at = scheduled_transactions.findIndex((payment) => payment.id === id);
    const payment = scheduled_transactions[at];
    if (payment !== undefined) scheduled_transactions[at] = { ...payment, ...changes };
  }

  updateUser(changes: Partial<BankState["user_account"]>): void {
    Object.assign(this.#state.user_account, changes);
  }

  #outgoing(payment: Payment): Transaction {
    this.#lastId += 1;
    return { id: this.#lastId, sender: this.iban, ...payment };
  }
}
