/** The rule files that people write: a folder, read as it is. What is served never comes from here, but from the store. */
export type GuideFiles = {
  /** Every rule file below the folder, by name. Nothing is left out silently: what cannot be read is listed with why. */
  read(): Promise<readonly GuideFile[]>;
  /** Names of files below the folder that are no rule files, but whose ending is one under which rules are kept elsewhere. */
  unread?(): Promise<readonly string[]>;
};

export type GuideFile = {
  /** Below the folder, with `/`, such as `android/lock-screen.md`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Why it could not be read, in one line; null where it was. */
  readonly failed: string | null;
};
