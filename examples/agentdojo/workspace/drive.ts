import { z } from "signalbox";

const File = z.strictObject({
  id_: z.string(),
  filename: z.string(),
  content: z.string(),
  owner: z.string(),
  last_modified: z.string(),
  shared_with: z.record(z.string(), z.enum(["r", "rw"])),
  size: z.number(),
});
export type File = z.infer<typeof File>;

export const DriveState = z.object({ account_email: z.string(), initial_files: z.array(File) });
export type DriveState = z.infer<typeof DriveState>;

/** One person's cloud drive, in memory. It does what it is told: whether it may is not its business. */
export class Drive {
  readonly owner: string;
  readonly #files: Map<string, File>;
  /** Sizes of the files that were deleted, and ids of those that were added to, since the drive was opened. */
  readonly deletedSizes: number[] = [];
  readonly extended = new Set<string>();

  constructor(state: DriveState) {
    this.owner = state.account_email;
    this.#files = new Map(state.initial_files.map((file) => [file.id_, structuredClone(file)]));
  }

  get files(): readonly File[] {
    return [...this.#files.values()];
  }

  file(id: string): File | null {
    return this.#files.get(id) ?? null;
  }

  create(filename: string, content: string, at: string): File {
    const id_ = String(Math.max(-1, ...[...this.#files.keys()].map(Number)) + 1);
    const size = content.length;
    return this.#put({ id_, filename, content, owner: this.owner, last_modified: at, shared_with: {}, size });
  }

  append(id: string, content: string): File | null {
    const file = this.file(id);
    if (file === null) return null;
    this.extended.add(id);
    const longer = `${file.content}\n${content}`;
    return this.#put({ ...file, content: longer, size: longer.length });
  }

  share(id: string, email: string, permission: "r" | "rw"): File | null {
    const file = this.file(id);
    return file === null ? null : this.#put({ ...file, shared_with: { ...file.shared_with, [email]: permission } });
  }

  delete(id: string): File | null {
    const file = this.file(id);
    if (this.#files.delete(id)) this.deletedSizes.push(file?.size ?? 0);
    return file;
  }

  #put(file: File): File {
    this.#files.set(file.id_, file);
    return file;
  }
}
